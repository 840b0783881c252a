// A release sequence: what is released is acquired from a relaxed read-modify-write that came in between.
//~ none: executions=20
//~ dpor: executions=6 blocked=1
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int count;

static void *producer(void *unused)
{
    data = 1;
    atomic_store_explicit(&count, 1, memory_order_release);
    return unused;
}

static void *other(void *unused)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    if (atomic_load_explicit(&count, memory_order_acquire) == 2)
        assert(data == 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
