// Everyone takes the left fork first: all hold one, and wait for the other.
//~ skip: none
//~ dpor: executions=7 blocked=1
//~ source: executions=7 blocked=1
//~ optimal: executions=7
//~ observers: executions=7
//~ cs: executions=7 blocked=1
//~ optimal-cs: executions=7
//~ optimal-cs-observers: executions=7
//~ constrained: executions=7 blocked=1
//~ quasi:optimal: executions=7
//~ violation: deadlock
#include <pthread.h>
#include <stdint.h>

#define N 3

static pthread_mutex_t fork_[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *philosopher(void *argument)
{
    int left = (int)(intptr_t)argument, right = (left + 1) % N;
    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]);
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[left]);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
