// lastwrite-2phases.mzk in C: lastwrite three times in a row, on a variable for each time.
// Count: (N!)^3.
//~ flags: -D N=2
//~ none: executions=35
//~ dpor: executions=8
//~ source: executions=8
//~ optimal: executions=8
//~ observers: executions=8
//~ cs: executions=8
//~ optimal-cs: executions=8
//~ optimal-cs-observers: executions=8
//~ constrained: executions=8
//~ quasi:optimal: executions=8
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x, y, z;

static void *writer(void *argument)
{
    (void)argument;
    x = 1;
    y = 1;
    z = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x == 1 && y == 1 && z == 1);
    return 0;
}
