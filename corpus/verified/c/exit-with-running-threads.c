// The end of main ends the program, whatever others do: the waiting thread is no deadlock.
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
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never, x;

static void *spinner(void *unused)
{
    (void)unused;
    x = 1;
    while (!never)
        ;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spinner, NULL);
    x = 2;
    return 0;
}
