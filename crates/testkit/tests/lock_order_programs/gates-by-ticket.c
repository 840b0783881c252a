// Threads that take two locks in opposite orders first take the lock of the ticket that they draw.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t gates[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int tickets;

static void *first(void *unused) {
    pthread_mutex_t *gate = &gates[atomic_fetch_add(&tickets, 1)];
    pthread_mutex_lock(gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(gate);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_t *gate = &gates[atomic_fetch_add(&tickets, 1)];
    pthread_mutex_lock(gate);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(gate);
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
