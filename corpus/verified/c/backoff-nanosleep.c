// A mutex is tried again and again, with a delay in a `struct timespec` that grows up to a bound.
// Count: 2, one for each order of the two critical sections.
//~ none: executions=6
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *unused)
{
    (void)unused;
    long delay = 1000;
    while (pthread_mutex_trylock(&mutex)) {
        struct timespec time = {.tv_sec = 0, .tv_nsec = delay};
        nanosleep(&time, NULL);
        if (delay < 1000000)
            delay *= 2;
    }
    count++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&other, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(count == 2);
    return 0;
}
