// pthread_barrier: each thread writes its part, and reads the neighbour's behind the barrier. One of them is told that it was last.
//~ skip: none
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static pthread_barrier_t barrier;
static int part[N];
static atomic_int serial;

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument;
    part[me] = me + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_fetch_add(&serial, 1);
    assert(part[(me + 1) % N] == (me + 1) % N + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(serial == 1);
    pthread_barrier_destroy(&barrier);
    return 0;
}
