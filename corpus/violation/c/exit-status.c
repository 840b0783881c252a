// A test of its own kind: the program says by its exit status that an update was lost.
//~ none: executions=10
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
//~ violation: exit-status in main at 37:9
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int count;

static void *worker(void *unused)
{
    (void)unused;
    int seen = count;
    count = seen + 1;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    if (count != 2) {
        printf("lost: %d\n", count);
        exit(EXIT_FAILURE);
    }
    return 0;
}
