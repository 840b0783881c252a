// Main takes the mutex and never goes on, and a second thread tries the mutex meanwhile. A third
// one gets it before main, or waits for it: two deadlocks. Looking does not hide the race.
// Count: 2.
//~ none: executions=2
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: deadlock
//~ violation: deadlock
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int flag;

static void *waits(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!flag)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *tries(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&never, 0, 0);
    pthread_create(&first, NULL, waits, NULL);
    pthread_mutex_lock(&mutex);
    pthread_create(&second, NULL, tries, NULL);
    sem_wait(&never);
    pthread_mutex_unlock(&mutex);
    return 0;
}
