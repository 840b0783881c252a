// A semaphore built from a mutex and a condition variable.
//~ skip: none
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

struct semaphore {
    pthread_mutex_t m;
    pthread_cond_t c;
    int count;
};

static struct semaphore s = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static int data;

static void down(struct semaphore *semaphore)
{
    pthread_mutex_lock(&semaphore->m);
    while (semaphore->count == 0)
        pthread_cond_wait(&semaphore->c, &semaphore->m);
    semaphore->count--;
    pthread_mutex_unlock(&semaphore->m);
}

static void up(struct semaphore *semaphore)
{
    pthread_mutex_lock(&semaphore->m);
    semaphore->count++;
    pthread_cond_signal(&semaphore->c);
    pthread_mutex_unlock(&semaphore->m);
}

static void *producer(void *unused)
{
    (void)unused;
    data = 3;
    up(&s);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    down(&s);
    assert(data == 3);
    pthread_join(thread, NULL);
    return 0;
}
