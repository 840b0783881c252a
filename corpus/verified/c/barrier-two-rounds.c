// Four threads meet at a barrier twice.
// Count: 1, since it is nothing to anybody in which order they come.
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

static pthread_barrier_t barrier;
static int parts[4];

static void *worker(void *argument)
{
    int *part = argument;
    *part = 1;
    pthread_barrier_wait(&barrier);
    assert(parts[0] + parts[1] + parts[2] + parts[3] == 4);
    pthread_barrier_wait(&barrier);
    *part = 2;
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, worker, &parts[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
