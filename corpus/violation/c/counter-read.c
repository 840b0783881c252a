// A counter is read while others add to it: each of its values can be seen.
// Count: the reader comes after any of the 2^N sets of additions.
//~ flags: -D N=3
//~ none: executions=96
//~ dpor: executions=8
//~ source: executions=8
//~ optimal: executions=8
//~ observers: executions=8
//~ cs: executions=8
//~ optimal-cs: executions=8
//~ optimal-cs-observers: executions=8
//~ constrained: executions=8
//~ quasi:optimal: executions=8
//~ violation: assertion in reader#4 at 34:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int count;

static void *adder(void *argument)
{
    atomic_fetch_add(&count, 1);
    return argument;
}

static void *reader(void *argument)
{
    int seen = count;
    assert(seen != 1);
    return argument;
}

int main(void)
{
    pthread_t threads[N], other;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, adder, NULL);
    pthread_create(&other, NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    pthread_join(other, NULL);
    return 0;
}
