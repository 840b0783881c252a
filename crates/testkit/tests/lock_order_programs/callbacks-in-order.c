// What is done with a lock held is called through a pointer, and takes the second lock.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void with(pthread_mutex_t *m, void (*action)(void)) {
    pthread_mutex_lock(m);
    action();
    pthread_mutex_unlock(m);
}

static void add(void) {
    count++;
}

static void inner_a(void) {
    with(&a, add);
}

static void inner_b(void) {
    with(&b, add);
}

static void (*const actions[])(void) = {inner_a, inner_b};

static void *first(void *unused) {
    with(&a, actions[1]);
    return unused;
}

static void *second(void *unused) {
    with(&a, actions[1]);
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
