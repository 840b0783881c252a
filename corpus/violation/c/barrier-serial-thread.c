// One of the threads that meet at a barrier is told so. Which one it is, is not known.
//~ none: executions=2
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: assertion in worker#1 at 21:5
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused)
{
    (void)unused;
    assert(pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return 0;
}
