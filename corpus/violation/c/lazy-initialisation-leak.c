// Two threads find nothing and make a thing each; the one that stores last makes the other's a leak.
//~ flags: --leaks
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
