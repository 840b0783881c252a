// A local is used after its block was left, while its function still runs.
//~ none: executions=4
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: use-after-free in user#1 at 22:17
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) shared;

static void *user(void *unused)
{
    atomic_int *number = shared;
    if (number)
        *number = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    {
        atomic_int number = 0;
        shared = &number;
    }
    pthread_join(thread, NULL);
    return 0;
}
