// abs-2phases.mzk in C: abs twice in a row.
// Count: (N!)^4.
//~ flags: -D N=2
//~ none: executions=126
//~ dpor: executions=16
//~ source: executions=16
//~ optimal: executions=16
//~ observers: executions=16
//~ cs: executions=16
//~ optimal-cs: executions=16
//~ optimal-cs-observers: executions=16
//~ constrained: executions=16
//~ quasi:optimal: executions=16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x[4];

static void *writer(void *argument)
{
    (void)argument;
    for (int k = 0; k < 4; k++)
        x[k] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x[0] == x[1] && x[2] == x[3]);
    return 0;
}
