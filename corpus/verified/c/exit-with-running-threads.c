// The end of main ends the program, whatever others do: the waiting thread is no deadlock.
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
