// Waiting on a condition variable with a mutex that is not held.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_cond_wait(&c, &m);
    return 0;
}
