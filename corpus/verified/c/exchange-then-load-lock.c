// A lock that is taken by an exchange, and waited for by loads when that fails.
// Count: 6, the orders in which three threads take it: after an exchange that fails there is nothing but waiting until the lock is free.
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

static atomic_int lock;
static int shared;

static void *worker(void *unused)
{
    (void)unused;
    while (atomic_exchange(&lock, 1))
        while (atomic_load(&lock))
            ;
    shared++;
    atomic_store(&lock, 0);
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
