// Main takes a mutex while it is alone and joins a thread that waits for it. Another thread only tries to take the mutex: it
// fails, and goes on.
// Count: 1. No order of anything matters.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *tries(void *unused)
{
    (void)unused;
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    pthread_mutex_lock(&mutex);
    pthread_create(&one, NULL, waits, NULL);
    pthread_create(&other, NULL, tries, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
