// N workers sum up in private, then each adds its part under a mutex; the main process waits for all of them.
// From: QPOR (CAV 2018), Table 1, Pi.
// Count: N! orders of the critical sections.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 6
#endif
#define TERMS 20

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void *worker(void *argument)
{
    double mine = 0;
    for (int i = (int)(intptr_t)argument; i < TERMS; i += N)
        mine += (i % 2 ? -4.0 : 4.0) / (2 * i + 1);
    pthread_mutex_lock(&m);
    sum += mine;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
