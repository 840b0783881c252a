// fib.mzk in C: a call makes its two calls in threads of their own, waits until both have added their result to its cell, and adds the sum to its caller's cell,
// in a single step. Who waits, waits in a loop. Count: 2 to the power of the calls that make two: 1, 2, 4, 7, 12 for N = 2 to 6.
//~ flags: -D N=3
//~ skip: none
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#define CELLS 256 // calls are numbered like the nodes of a heap: enough for N = 8

static int sum[CELLS];
static atomic_int came[CELLS];

static void *fib(void *argument)
{
    int n = (int)(intptr_t)argument & 255, call = (int)((intptr_t)argument >> 8), value = n;
    if (n > 1) {
        pthread_t one, two;
        pthread_create(&one, NULL, fib, (void *)(intptr_t)((n - 1) | (2 * call) << 8));
        pthread_create(&two, NULL, fib, (void *)(intptr_t)((n - 2) | (2 * call + 1) << 8));
        while (came[call] != 2)
            ;
        pthread_join(one, NULL);
        pthread_join(two, NULL);
        value = sum[call];
    }
    __VERIFIER_atomic_begin();
    sum[call / 2] += value;
    came[call / 2]++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t all;
    pthread_create(&all, NULL, fib, (void *)(intptr_t)(N | 1 << 8));
    pthread_join(all, NULL);
    int before = 0, expected = 1;
    for (int k = 1; k < N; k++) {
        int next = before + expected;
        before = expected;
        expected = next;
    }
    assert(sum[0] == expected);
    return 0;
}
