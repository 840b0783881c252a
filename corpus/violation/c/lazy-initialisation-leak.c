// Two threads find nothing and make a thing each; the one that stores last makes the other's a leak.
//~ flags: --leaks
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
//~ violation: leak in user#1 at 25:20
//~ violation: leak in user#2 at 25:20
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static void *user(void *unused)
{
    (void)unused;
    if (!instance)
        instance = malloc(sizeof(int));
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(instance);
    return 0;
}
