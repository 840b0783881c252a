// Four threads, each of which touches only an atomic variable of its own.
// Count: 1.
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

#ifndef N
#define N 4
#endif

static atomic_int own[N];

static void *worker(void *argument)
{
    atomic_int *mine = argument;
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(mine, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, &own[i]);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        assert(own[i] == 3);
    }
    return 0;
}
