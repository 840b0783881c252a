// The program gives up where it sees something that cannot be.
//~ none: executions=3
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: abort in main at 32:9
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int state;

static void *worker(void *unused)
{
    (void)unused;
    state = 1;
    state = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (state == 1)
        abort();
    pthread_join(thread, NULL);
    return 0;
}
