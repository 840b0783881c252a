// A thread waits for a signal while it holds a second lock, which the one that signals takes.
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *first(void *unused) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&m);
    while (!is_ready) pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&outer);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&m);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&outer);
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
