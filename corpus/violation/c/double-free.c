// Two threads each think that it is theirs to free.
//~ none: executions=25
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: double-free in cleaner#1 at 25:9
//~ violation: double-free in cleaner#2 at 25:9
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *cleaner(void *unused)
{
    (void)unused;
    int *mine = shared;
    if (mine) {
        free(mine);
        shared = NULL;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    shared = malloc(sizeof(int));
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, cleaner, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
