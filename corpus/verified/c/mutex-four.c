// Four threads lock one mutex once each.
// Count: the orders of four critical sections, 4! = 24. Creating and joining threads is ordered by cause and adds nothing.
//~ skip: none
//~ dpor: executions=24
//~ source: executions=24
//~ optimal: executions=24
//~ observers: executions=24
//~ cs: executions=24
//~ optimal-cs: executions=24
//~ optimal-cs-observers: executions=24
//~ constrained: executions=24
//~ quasi:optimal: executions=24
#include <pthread.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
