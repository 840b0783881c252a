// A lock that is tested before it is taken, and that somebody closes by a third value: between the test and the exchange. The exchange takes that value away.
//~ none: executions=10
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: assertion in main at 35:9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void *worker(void *unused)
{
    (void)unused;
    for (;;) {
        if (!atomic_load(&lock) && !atomic_exchange(&lock, 1))
            break;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (atomic_load(&lock) == 0) {
        atomic_store(&lock, 2);
        assert(atomic_load(&lock) == 2);
        atomic_store(&lock, 0);
    }
    pthread_join(thread, NULL);
    return 0;
}
