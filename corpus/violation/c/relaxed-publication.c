// A structure is published by a relaxed store: who finds it is not synchronised with who filled it in, although under sequential consistency it is always complete.
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
//~ violation: data-race in main at 38:9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    int number;
};

static _Atomic(struct message *) box;

static void *sender(void *unused)
{
    struct message *message = malloc(sizeof *message);
    message->number = 42;
    atomic_store_explicit(&box, message, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    struct message *message = atomic_load_explicit(&box, memory_order_acquire);
    if (message)
        assert(message->number == 42);
    pthread_join(thread, NULL);
    free(atomic_load(&box));
    return 0;
}
