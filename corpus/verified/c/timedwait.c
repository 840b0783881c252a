// A wait that may time out at any point: either the flag was seen, or the time was up.
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
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct timespec until = {1, 0};
    int result = 0;
    pthread_create(&thread, NULL, setter, NULL);
    pthread_mutex_lock(&m);
    while (!ready && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&c, &m, &until);
    assert(ready || result == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
