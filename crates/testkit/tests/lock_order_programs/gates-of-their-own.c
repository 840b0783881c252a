// Threads that take two locks in opposite orders first take a lock of their own from an array.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t gates[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    intptr_t i = (intptr_t)argument;
    pthread_mutex_t *gate = &gates[i];
    pthread_mutex_lock(gate);
    pthread_mutex_lock(i ? &a : &b);
    pthread_mutex_lock(i ? &b : &a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(gate);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
