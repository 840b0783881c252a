// One thread raises a flag behind its data, another waits for it in a loop with an empty body.
// Count: 1, since the read that ends the loop comes after the write, and nothing else is shared at the same time.
//~ none: executions=1
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *unused)
{
    (void)unused;
    data = 42;
    ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    while (!ready)
        ;
    assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
