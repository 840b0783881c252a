// A flag is waited for with exponential back-off, but it is raised before the data is there.
//~ none: executions=3
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: assertion in main at 37:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready, data;

static void *producer(void *unused)
{
    (void)unused;
    ready = 1;
    data = 42;
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
