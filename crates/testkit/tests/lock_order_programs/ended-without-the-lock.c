// A thread ends and gives back a lock that another one takes.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *first(void *unused) {
    pthread_mutex_lock(&m);
    if (count++ > 0) {
        pthread_mutex_unlock(&m);
        pthread_exit(NULL);
    }
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, first, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
