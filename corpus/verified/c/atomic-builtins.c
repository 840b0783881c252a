// The __atomic builtins of GCC, on plain variables, between two threads.
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
#include <stdbool.h>

static int data, ready;
static long sum;

static void *worker(void *unused)
{
    (void)unused;
    data = 5;
    __atomic_fetch_add(&sum, 2, __ATOMIC_RELAXED);
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    __atomic_add_fetch(&sum, 3, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
        ;
    assert(data == 5);
    pthread_join(thread, NULL);
    long now, next = 9, expected = 5;
    __atomic_load(&sum, &now, __ATOMIC_SEQ_CST);
    assert(now == 5);
    assert(__atomic_compare_exchange(&sum, &expected, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(__atomic_exchange_n(&sum, 1, __ATOMIC_ACQ_REL) == 9 && __atomic_nand_fetch(&sum, 3, __ATOMIC_RELAXED) == -2);
    assert(__atomic_test_and_set(&ready, __ATOMIC_SEQ_CST));
    __atomic_clear(&ready, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
