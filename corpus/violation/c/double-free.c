// Two threads each think that it is theirs to free.
//~ none: executions=35
//~ dpor: executions=7
//~ source: executions=7
//~ optimal: executions=7
//~ cs: executions=7
//~ optimal-cs: executions=7
//~ violation: double-free in cleaner#1 at 21:9
//~ violation: double-free in cleaner#2 at 21:9
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
