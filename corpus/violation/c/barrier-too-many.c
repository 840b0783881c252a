// Three threads come to a barrier for two, one of them twice if it is not with the first: who meets whom depends on the order in which they come.
//~ skip: none
//~ dpor: executions=98 blocked=5
//~ source: executions=98 blocked=5
//~ optimal: executions=98
//~ observers: executions=98
//~ cs: executions=98 blocked=5
//~ optimal-cs: executions=98
//~ optimal-cs-observers: executions=98
//~ constrained: executions=98 blocked=5
//~ quasi:optimal: executions=98
//~ violation: assertion in first#1 at 36:5
//~ violation: deadlock
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int parts[3];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void set(int part)
{
    pthread_mutex_lock(&mutex);
    parts[part] = 1;
    pthread_mutex_unlock(&mutex);
}

static void *first(void *unused)
{
    (void)unused;
    set(0);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&mutex);
    int met = parts[1];
    pthread_mutex_unlock(&mutex);
    assert(met);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    set(1);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void *third(void *unused)
{
    (void)unused;
    set(2);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
