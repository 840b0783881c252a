// Lazy initialisation with a look at the pointer before the lock is taken; the pointer is atomic and stored last, so it is right.
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
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct thing {
    int ready;
};

static struct thing *_Atomic instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int made;

static struct thing *get(void)
{
    struct thing *found = instance;
    if (!found) {
        pthread_mutex_lock(&m);
        found = instance;
        if (!found) {
            found = malloc(sizeof *found);
            found->ready = 1;
            made++;
            instance = found;
        }
        pthread_mutex_unlock(&m);
    }
    return found;
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
    assert(made == 1);
    return 0;
}
