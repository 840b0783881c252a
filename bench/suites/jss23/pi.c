// pi.mzk in C: N threads each compute a part of a sum in private, then add it to the common one.
// Count: 1, since nobody uses what the additions find, and they commute.
//~ flags: -D N=4
//~ none: executions=105
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

#define TERMS 8 // of the series, for each worker

static atomic_int sum;

static void *worker(void *argument)
{
    int i = (int)(intptr_t)argument, part = 0;
    for (int k = i * TERMS; k < (i + 1) * TERMS; k++)
        part += (k % 2 == 0 ? 1 : -1) * 4000000 / (2 * k + 1);
    sum += part;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(sum > 3000000 && sum < 3300000);
    return 0;
}
