// Threads that take two locks in opposite orders first take a lock that the loop of main made for
// each of them.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(gate);
    return NULL;
}

static void *second(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(gate);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t *gate = malloc(sizeof *gate);
        pthread_mutex_init(gate, NULL);
        pthread_create(&threads[i], NULL, i ? first : second, gate);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
