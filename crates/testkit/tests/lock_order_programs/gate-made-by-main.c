// Threads that take two locks in opposite orders first take a lock that main made.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *shared;

static pthread_mutex_t *make(void) {
    pthread_mutex_t *made = malloc(sizeof *made);
    pthread_mutex_init(made, NULL);
    return made;
}

static void *worker(void *argument) {
    intptr_t i = (intptr_t)argument;
    pthread_mutex_t *gate = shared;
    pthread_mutex_lock(gate);
    pthread_mutex_lock(i ? &a : &b);
    pthread_mutex_lock(i ? &b : &a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(gate);
    return NULL;
}

int main(void) {
    shared = make();
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
