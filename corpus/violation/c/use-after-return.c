// A thread is given the address of a local variable of a function that has returned.
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
//~ violation: use-after-free in worker#1 at 21:13
#include <pthread.h>
#include <stdatomic.h>

static pthread_t thread;

static void *worker(void *argument)
{
    atomic_int *number = argument;
    *number = 1;
    return NULL;
}

static void start(void)
{
    atomic_int local = 0;
    pthread_create(&thread, NULL, worker, &local);
}

int main(void)
{
    start();
    pthread_join(thread, NULL);
    return 0;
}
