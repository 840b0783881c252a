// A semaphore for two places and three threads: never more than two inside.
//~ skip: none
//~ dpor: executions=510
//~ source: executions=510
//~ optimal: executions=510
//~ observers: executions=510
//~ cs: executions=510
//~ optimal-cs: executions=510
//~ optimal-cs-observers: executions=510
//~ constrained: executions=510
//~ quasi:optimal: executions=510
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define N 3

static sem_t places;
static atomic_int inside;

static void *visitor(void *unused)
{
    (void)unused;
    sem_wait(&places);
    int now = atomic_fetch_add(&inside, 1) + 1;
    assert(now <= 2);
    atomic_fetch_sub(&inside, 1);
    sem_post(&places);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    int left;
    sem_init(&places, 0, 2);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, visitor, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    sem_getvalue(&places, &left);
    assert(left == 2 && sem_trywait(&places) == 0);
    sem_destroy(&places);
    return 0;
}
