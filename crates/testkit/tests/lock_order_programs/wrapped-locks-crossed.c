// Locks behind two wrappers, which say whether they got them, in opposite orders.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static int take(pthread_mutex_t *m) {
    return pthread_mutex_lock(m) == 0;
}

static int take_both(pthread_mutex_t *one, pthread_mutex_t *other) {
    if (!take(one)) return 0;
    if (take(other)) return 1;
    pthread_mutex_unlock(one);
    return 0;
}

static void *first(void *unused) {
    if (!take_both(&a, &b)) return unused;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static void *second(void *unused) {
    if (!take_both(&b, &a)) return unused;
    pthread_mutex_unlock(&a);
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
