// K writers with a mutex each, K readers that take one common mutex and then a writer's.
// From: QPOR (CAV 2018), Table 1, Mpat.
// Count: the readers' order, and for each cell who came first: 2^K * K!.
#include <pthread.h>
#include <stdint.h>

#ifndef K
#define K 4
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, a[K];

static void *writer(void *argument)
{
    intptr_t i = (intptr_t)argument;
    pthread_mutex_lock(&a[i]);
    pthread_mutex_unlock(&a[i]);
    return NULL;
}

static void *reader(void *argument)
{
    intptr_t i = (intptr_t)argument;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&a[i]);
    pthread_mutex_unlock(&a[i]);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < K; i++)
        pthread_mutex_init(&a[i], NULL);
    for (intptr_t i = 0; i < K; i++) {
        pthread_create(&thread, NULL, writer, (void *)i);
        pthread_create(&thread, NULL, reader, (void *)i);
    }
    pthread_exit(NULL);
}
