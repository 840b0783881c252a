// Who does not get the mutex at once does something else.
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
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static atomic_int elsewhere;

static void *worker(void *unused)
{
    (void)unused;
    int result = pthread_mutex_trylock(&m);
    if (result == 0) {
        inside++;
        pthread_mutex_unlock(&m);
    } else {
        assert(result == EBUSY);
        atomic_fetch_add(&elsewhere, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(inside + elsewhere == 2 && inside >= 1);
    return 0;
}
