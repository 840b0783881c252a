// Lazy initialisation with a look at the pointer before the lock is taken, and a plain pointer: the look races with the store.
//~ skip: none
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
//~ violation: data-race in user#1 at 27:10
//~ violation: data-race in user#2 at 27:10
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct thing {
    int ready;
};

static struct thing *instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct thing *get(void)
{
    if (!instance) {
        pthread_mutex_lock(&m);
        if (!instance) {
            struct thing *made = malloc(sizeof *made);
            made->ready = 1;
            instance = made;
        }
        pthread_mutex_unlock(&m);
    }
    return instance;
}

static void *user(void *unused)
{
    (void)unused;
    assert(get()->ready == 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
