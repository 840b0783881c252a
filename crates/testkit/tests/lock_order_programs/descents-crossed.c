// A function that calls itself takes the second lock at the bottom; two threads do so in opposite orders.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void descend(pthread_mutex_t *m, int depth) {
    if (depth > 0) {
        descend(m, depth - 1);
        return;
    }
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
}

static void *first(void *unused) {
    pthread_mutex_lock(&a);
    descend(&b, 2);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&b);
    descend(&a, 1);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
