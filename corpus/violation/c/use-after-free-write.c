// One thread gives a block back, another one writes to it: nobody ever reads it, and the order matters all the same.
//~ none: executions=10
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: use-after-free in writer#1 at 23:13
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *number;

static void *writer(void *argument)
{
    (void)argument;

    *number = 1;
    return NULL;
}

static void *owner(void *argument)
{
    (void)argument;
    free(number);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    number = malloc(sizeof *number);
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, owner, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
