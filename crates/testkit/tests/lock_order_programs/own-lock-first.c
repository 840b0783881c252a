// Each of two threads takes its own lock of an array and then that of the other.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *argument) {
    intptr_t own = (intptr_t)argument, other = 1 - own;
    pthread_mutex_lock(&locks[own]);
    pthread_mutex_lock(&locks[other]);
    pthread_mutex_unlock(&locks[other]);
    pthread_mutex_unlock(&locks[own]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
