// Somebody looks again and again, under a mutex, whether another thread is done, and counts how often: nobody asks how often it was.
// Count: 1, since taking the mutex and finding that it is too early changes nothing.
//~ none: executions=1
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 5; i++) {
        pthread_mutex_lock(&mutex);
        done = i;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int polls = 0;
    pthread_create(&thread, NULL, worker, NULL);
    for (;;) {
        pthread_mutex_lock(&mutex);
        int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen == 5)
            break;
        polls++;
    }
    pthread_join(thread, NULL);
    return 0;
}
