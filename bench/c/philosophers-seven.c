// Seven philosophers eat twice, each with the left fork first. One schedule in very many ends with
// everybody holding one fork. A proof meets it late: nothing after a million executions. A search
// that begins with few preemptions, or a random one, finds it at once.
//~ violation: deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 7
#endif

static pthread_mutex_t fork_[N];
static atomic_int eaten;

static void *philosopher(void *argument)
{
    int left = (int)(intptr_t)argument, right = (left + 1) % N;
    for (int meal = 0; meal < 2; meal++) {
        pthread_mutex_lock(&fork_[left]);
        pthread_mutex_lock(&fork_[right]);
        printf("philosopher %d eats meal %d\n", left, meal);
        atomic_fetch_add(&eaten, 1);
        pthread_mutex_unlock(&fork_[right]);
        pthread_mutex_unlock(&fork_[left]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(eaten == 2 * N);
    return 0;
}
