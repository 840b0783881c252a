// A function takes a lock that its caller holds.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m;
static int count;

static void add(int value) {
    pthread_mutex_lock(&m);
    count += value;
    pthread_mutex_unlock(&m);
}

static void *first(void *unused) {
    pthread_mutex_lock(&m);
    if (count < 10) add(1);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *second(void *unused) {
    add(2);
    return unused;
}

int main(void) {
    pthread_mutex_init(&m, NULL);
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
