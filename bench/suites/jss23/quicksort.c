// quicksort.mzk in C: a call splits its part of the array in one step, makes a call in a thread of its own for each side, and says so to its caller when
// both have answered. Who waits, waits in a loop. Count: 1, since nobody uses what
// the additions to an answer find, and they commute.
//~ flags: -D N=1
//~ skip: none
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#define LENGTH (N + 3)

static int a[LENGTH];
static atomic_int answers[LENGTH + 1]; // to the call that put its pivot into this place; the last one is main's

// The arguments of a call, in one word.
static void *call(int low, int high, int caller)
{
    return (void *)(intptr_t)(low | high << 8 | caller << 16);
}

static void *sort(void *argument)
{
    int word = (int)(intptr_t)argument, low = word & 255, end = word >> 8 & 255, caller = word >> 16;
    if (low < end) {
        int place = low; // of the pivot, which is the last number
        __VERIFIER_atomic_begin();
        for (int k = low; k < end; k++)
            if (a[k] < a[end - 1] || k == end - 1) {
                int number = a[k];
                a[k] = a[place];
                a[place] = number;
                place++;
            }
        __VERIFIER_atomic_end();
        place--;
        pthread_t left, right;
        pthread_create(&left, NULL, sort, call(low, place, place));
        pthread_create(&right, NULL, sort, call(place + 1, end, place));
        while (answers[place] != 2)
            ;
        pthread_join(left, NULL);
        pthread_join(right, NULL);
    }
    answers[caller]++;
    return NULL;
}

int main(void)
{
    for (int k = 0; k < LENGTH; k++)
        a[k] = (k + 2) * (k + 2) * 5 % 23;
    pthread_t all;
    pthread_create(&all, NULL, sort, call(0, LENGTH, LENGTH));
    pthread_join(all, NULL);
    for (int k = 1; k < LENGTH; k++)
        assert(a[k - 1] <= a[k]);
    return 0;
}
