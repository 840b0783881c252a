// mergesort.mzk in C: a call for more than one number makes a call in a thread of its own for each half, waits for both answers, merges the halves in one step,
// and answers its caller. Who waits, waits in a loop. Count: 1, since nobody uses what
// the additions to an answer find, and they commute.
//~ flags: -D N=3
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
#define N 5
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int a[N];
static atomic_int answers[N]; // to the call that splits before this place; the first one is main's

// The arguments of a call, in one word.
static void *call(int low, int high, int caller)
{
    return (void *)(intptr_t)(low | high << 8 | caller << 16);
}

static void merge(int low, int middle, int end)
{
    int left = low, right = middle;
    while (left < right && right < end) {
        if (a[right] < a[left]) { // it moves to the left, all between move by one
            int number = a[right];
            for (int k = right; k > left; k--)
                a[k] = a[k - 1];
            a[left] = number;
            right++;
        }
        left++;
    }
}

static void *sort(void *argument)
{
    int word = (int)(intptr_t)argument, low = word & 255, end = word >> 8 & 255, caller = word >> 16;
    if (end - low > 1) {
        int middle = (low + end) / 2;
        pthread_t left, right;
        pthread_create(&left, NULL, sort, call(low, middle, middle));
        pthread_create(&right, NULL, sort, call(middle, end, middle));
        while (answers[middle] != 2)
            ;
        pthread_join(left, NULL);
        pthread_join(right, NULL);
        __VERIFIER_atomic_begin();
        merge(low, middle, end);
        __VERIFIER_atomic_end();
    }
    answers[caller]++;
    return NULL;
}

int main(void)
{
    for (int k = 0; k < N; k++)
        a[k] = (k + 2) * (k + 2) * 5 % 23;
    pthread_t all;
    pthread_create(&all, NULL, sort, call(0, N, 0));
    pthread_join(all, NULL);
    for (int k = 1; k < N; k++)
        assert(a[k - 1] <= a[k]);
    return 0;
}
