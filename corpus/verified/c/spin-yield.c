// The same wait, with what people put into the bodies of such loops: they change nothing either.
// Count: 1.
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
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

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
    while (atomic_load_explicit(&ready, memory_order_acquire) == 0) {
        sched_yield();
        usleep(10);
        sleep(1);
    }
    assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
