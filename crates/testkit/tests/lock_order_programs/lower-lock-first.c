// Each of two threads takes its own lock of an array and then that of the other, the lower one first.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *argument) {
    intptr_t own = (intptr_t)argument, other = 1 - own;
    intptr_t low = own < other ? own : other, high = 1 - low;
    pthread_mutex_lock(&locks[low]);
    pthread_mutex_lock(&locks[high]);
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
