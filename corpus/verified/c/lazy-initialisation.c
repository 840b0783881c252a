// Two threads make a thing each and publish it by compare and exchange; the one that comes second throws its own away.
// Count: 2, who comes first.
//~ flags: --leaks
//~ none: executions=3
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static void *user(void *unused)
{
    (void)unused;
    int *mine = malloc(sizeof *mine), *none = NULL;
    *mine = 9;
    if (!atomic_compare_exchange_strong(&instance, &none, mine))
        free(mine);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(*instance == 9);
    free(instance);
    return 0;
}
