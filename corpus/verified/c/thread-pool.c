// A pool of two workers that take jobs from a list under a mutex and wait for more with a condition variable, until it is closed.
//~ skip: none
//~ dpor: executions=210
//~ source: executions=210
//~ optimal: executions=210
//~ observers: executions=210
//~ cs: executions=210
//~ optimal-cs: executions=210
//~ optimal-cs-observers: executions=210
//~ constrained: executions=210
//~ quasi:optimal: executions=210
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define JOBS 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, done;
static bool closed;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    for (;;) {
        while (waiting == 0 && !closed)
            pthread_cond_wait(&changed, &m);
        if (waiting == 0)
            break;
        waiting--;
        done++;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < JOBS; i++) {
        pthread_mutex_lock(&m);
        waiting++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    closed = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(done == JOBS);
    return 0;
}
