// A buffer of one cell between a producer and a consumer, with two condition variables.
//~ skip: none
//~ dpor: executions=8
//~ source: executions=8
//~ optimal: executions=8
//~ observers: executions=8
//~ cs: executions=8
//~ optimal-cs: executions=8
//~ optimal-cs-observers: executions=8
//~ constrained: executions=8
//~ quasi:optimal: executions=8
#include <assert.h>
#include <pthread.h>

#define ITEMS 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int cell, filled;

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (filled)
            pthread_cond_wait(&not_full, &m);
        cell = i;
        filled = 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (!filled)
            pthread_cond_wait(&not_empty, &m);
        assert(cell == i);
        filled = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
    pthread_join(thread, NULL);
    return 0;
}
