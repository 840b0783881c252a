// abs-dif.mzk in C: a different value for each writer.
// Count: (N!)^2.
//~ flags: -D N=3
//~ none: executions=280
//~ dpor: executions=36 blocked=1
//~ source: executions=36
//~ optimal: executions=36
//~ observers: executions=9
//~ cs: executions=36
//~ optimal-cs: executions=36
//~ optimal-cs-observers: executions=9
//~ constrained: executions=36
//~ quasi:optimal: executions=36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

static atomic_int x, y;

static void *writer(void *argument)
{
    int value = (int)(intptr_t)argument + 1;
    x = value;
    y = -value;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x > 0 && y < 0);
    return 0;
}
