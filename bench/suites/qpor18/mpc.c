// P producers each draw twice from a shared generator of numbers, then put work for the worker that their second number names;
// the W workers look twice each.
// From: QPOR (CAV 2018), Table 1, Mpc.
// Count: W = 5: 60 with P = 2, 2,958 with 3, 314,064 with 4.
#include <pthread.h>
#include <stdint.h>

#ifndef P
#define P 3
#endif
#ifndef W
#define W 5
#endif

static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER, mut[W];
static int buf, work[W], done[W];

static void *worker(void *argument)
{
    int i = (int)(intptr_t)argument;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&mut[i]);
        if (work[i] > 0) {
            work[i]--;
            done[i]++;
        }
        pthread_mutex_unlock(&mut[i]);
    }
    return NULL;
}

static void *producer(void *argument)
{
    int id = (int)(intptr_t)argument, t = 0;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&b);
        buf = buf * P + id;
        t = buf;
        pthread_mutex_unlock(&b);
    }
    int d = t % W;
    pthread_mutex_lock(&mut[d]);
    work[d]++;
    pthread_mutex_unlock(&mut[d]);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < W; i++)
        pthread_mutex_init(&mut[i], NULL);
    for (intptr_t i = 0; i < W; i++)
        pthread_create(&thread, NULL, worker, (void *)i);
    for (intptr_t i = 0; i < P; i++)
        pthread_create(&thread, NULL, producer, (void *)i);
    pthread_exit(NULL);
}
