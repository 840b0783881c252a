// A structure is copied by one thread while another writes one of its fields: a race between memcpy and a store.
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
//~ violation: data-race in main at 32:12
#include <pthread.h>

struct pair {
    long a, b;
};

static struct pair shared, copy;

static void *writer(void *unused)
{
    (void)unused;
    shared.b = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    copy = shared;
    pthread_join(thread, NULL);
    return 0;
}
