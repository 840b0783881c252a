// A lock that is tested before it is taken: threads wait in a loop of loads, and try to take it when it is free.
// Count: 6, the orders in which three threads take it, as with any other lock: an exchange that fails changes nothing, and one that succeeds reads what the load has read.
//~ none: executions=66
//~ dpor: executions=6
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

struct lock {
    atomic_int taken;
};

static struct lock lock;
static int shared;

static void acquire(struct lock *lock)
{
    do {
        while (atomic_load_explicit(&lock->taken, memory_order_relaxed))
            ;
    } while (atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire));
}

static void release(struct lock *lock)
{
    atomic_store_explicit(&lock->taken, 0, memory_order_release);
}

static void *worker(void *unused)
{
    (void)unused;
    acquire(&lock);
    shared++;
    release(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(shared == 3);
    return 0;
}
