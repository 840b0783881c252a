// One thread looks under a mutex again and again, another only tries to take it: a look that it notices is more than waiting.
//~ none: executions=9
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

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number, failed;

static void *setter(void *unused)
{
    if (pthread_mutex_trylock(&mutex) != 0) {
        pthread_mutex_lock(&mutex);
        failed = 1;
    }
    number = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, setter, NULL);
    while (!seen) {
        pthread_mutex_lock(&mutex);
        seen = number;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    assert(failed == 0 || failed == 1);
    return 0;
}
