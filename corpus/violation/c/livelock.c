// Main waits in a loop for a flag that is raised and taken back: who looks too late never sees it.
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
//~ violation: livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *pulse(void *unused)
{
    (void)unused;
    flag = 1;
    flag = 0;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, pulse, NULL);
    while (!flag)
        ;
    pthread_join(thread, NULL);
    return 0;
}
