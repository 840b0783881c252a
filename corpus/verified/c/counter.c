// Threads add to a counter and use nothing of what they find: their additions commute.
// Count: one trace, whatever N is.
//~ flags: -D N=4
//~ none: executions=15400
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

#ifndef N
#define N 7
#endif

static atomic_int count;

static void *adder(void *argument)
{
    atomic_fetch_add(&count, 2);
    count--;
    return argument;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, adder, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(count == N);
    return 0;
}
