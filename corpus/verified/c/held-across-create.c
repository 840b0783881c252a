// Main takes a mutex before there is any other thread, and still holds it when it creates one.
// Count: 1. The thread waits for the mutex; nothing else is shared.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    value++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, worker, NULL);
    value = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return value != 2;
}
