// floatingread-2phases.mzk in C: floatingread twice in a row, each time on a variable of its own.
// Count: ((N + 1)!)^2.
//~ flags: -D N=2
//~ none: executions=945
//~ dpor: executions=36
//~ source: executions=36
//~ optimal: executions=36
//~ observers: executions=25
//~ cs: executions=36
//~ optimal-cs: executions=36
//~ optimal-cs-observers: executions=25
//~ constrained: executions=36
//~ quasi:optimal: executions=36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x = 1, y = 1;
static int seen[2];

static void *writer(void *argument)
{
    (void)argument;
    x = 1;
    y = 1;
    return NULL;
}

static void *reader(void *argument)
{
    (void)argument;
    seen[0] = x;
    seen[1] = y;
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    pthread_create(&threads[N], NULL, reader, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
