// A flag is waited for with exponential back-off: the delay doubles without a bound. Nobody can
// notice how long a thread sleeps, so the loop waits like one with an empty body.
// Count: 1, as of the loop with an empty body.
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
    unsigned delay = 1;
    while (!ready) {
        usleep(delay);
        delay *= 2;
    }
    assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
