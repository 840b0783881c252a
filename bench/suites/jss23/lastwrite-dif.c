// lastwrite-dif.mzk in C: a different value for each writer.
// Count: N!.
//~ flags: -D N=4
//~ none: executions=105
//~ dpor: executions=24
//~ source: executions=24
//~ optimal: executions=24
//~ observers: executions=4
//~ cs: executions=24
//~ optimal-cs: executions=24
//~ optimal-cs-observers: executions=4
//~ constrained: executions=24
//~ quasi:optimal: executions=24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *writer(void *argument)
{
    int value = (int)(intptr_t)argument + 1;
    x = value;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x >= 1 && x <= N);
    return 0;
}
