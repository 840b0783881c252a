// A loop around a wait with a time limit: it may run out of time, and waits when that has changed nothing. Nobody signals.
//~ none: executions=59
//~ dpor: executions=10
//~ source: executions=10
//~ optimal: executions=10
//~ observers: executions=10
//~ cs: executions=10
//~ optimal-cs: executions=10
//~ optimal-cs-observers: executions=10
//~ constrained: executions=10
//~ quasi:optimal: executions=10
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, seen;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    seen = 1;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, NULL, worker, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_timedwait(&changed, &mutex, &until);
    assert(seen);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
