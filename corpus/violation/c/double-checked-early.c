// The pointer is atomic, but it is published before the thing is ready.
//~ skip: none
//~ dpor: executions=8
//~ source: executions=8
//~ optimal: executions=8
//~ observers: executions=8
//~ cs: executions=8
//~ optimal-cs: executions=8
//~ optimal-cs-observers: executions=8
//~ constrained: executions=8
//~ quasi:optimal: executions=8
//~ violation: assertion in user#1 at 42:5
//~ violation: assertion in user#2 at 42:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct thing {
    atomic_int ready;
};

static struct thing *_Atomic instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct thing *get(void)
{
    if (!instance) {
        pthread_mutex_lock(&m);
        if (!instance) {
            instance = calloc(1, sizeof(struct thing));
            instance->ready = 1;
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
