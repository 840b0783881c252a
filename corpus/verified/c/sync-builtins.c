// The __sync builtins of GCC, between two threads.
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

static int counter, lock, entered;

static void *worker(void *unused)
{
    (void)unused;
    __sync_fetch_and_add(&counter, 1);
    while (!__sync_bool_compare_and_swap(&lock, 0, 1))
        ;
    entered++;
    __sync_lock_release(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(__sync_add_and_fetch(&counter, 3) == 5 && __sync_fetch_and_sub(&counter, 1) == 5);
    assert(__sync_or_and_fetch(&counter, 3) == 7 && __sync_and_and_fetch(&counter, 5) == 5);
    assert(__sync_xor_and_fetch(&counter, 1) == 4 && __sync_val_compare_and_swap(&counter, 4, 6) == 4);
    assert(__sync_lock_test_and_set(&counter, 1) == 6);
    __sync_synchronize();
    assert(entered == 2);
    return 0;
}
