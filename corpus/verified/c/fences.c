// Fences make relaxed operations synchronise: one that releases before the store, one that acquires after the load.
//~ none: executions=11
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int data;
static atomic_int ready;
static _Atomic(int *) box;

static void *writer(void *unused)
{
    data = 1;
    int *number = malloc(sizeof *number);
    *number = 2;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    atomic_store_explicit(&box, number, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 1);
    }
    int *number = atomic_load_explicit(&box, memory_order_relaxed);
    if (number) {
        atomic_thread_fence(memory_order_acquire);
        assert(*number == 2);
    }
    pthread_join(thread, NULL);
    free(atomic_load(&box));
    return 0;
}
