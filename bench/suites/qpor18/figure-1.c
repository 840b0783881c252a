// K writers with a mutex each, a counter, and a master that takes the mutex that the counter shows.
// From: QPOR (CAV 2018), Fig. 1, with mutexes.
// Count: the master reads one of K values, and comes before or after that one writer: 2K.
#include <pthread.h>
#include <stdint.h>

#ifndef K
#define K 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, a[K];
static int c;

static void *writer(void *argument)
{
    intptr_t i = (intptr_t)argument;
    pthread_mutex_lock(&a[i]);
    pthread_mutex_unlock(&a[i]);
    return NULL;
}

static void *counter(void *unused)
{
    (void)unused;
    for (int x = 1; x < K; x++) {
        pthread_mutex_lock(&m);
        c = x;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < K; i++)
        pthread_mutex_init(&a[i], NULL);
    for (intptr_t i = 0; i < K; i++)
        pthread_create(&thread, NULL, writer, (void *)i);
    pthread_create(&thread, NULL, counter, NULL);
    pthread_mutex_lock(&m);
    int chosen = c;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&a[chosen]);
    pthread_mutex_unlock(&a[chosen]);
    pthread_exit(NULL);
}
