// A pool being poked: N writers raise a flag each; in each of K rounds a chooser runs through the cells' numbers while a poker takes
// the number it finds and clears that cell's flag.
// From: QPOR (CAV 2018), Table 1, Poke.
// Count: K = 3: 2,440 with N = 7, 3,700 with 8, 5,332 with 9, 7,384 with 10, 12,940 with 12.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 7
#endif
#ifndef K
#define K 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, a[N];
static int c, count, flag[N];

static void *writer(void *argument)
{
    int i = (int)(intptr_t)argument;
    pthread_mutex_lock(&a[i]);
    flag[i] = 1;
    pthread_mutex_unlock(&a[i]);
    return NULL;
}

static void *choose(void *unused)
{
    (void)unused;
    for (int x = 1; x < N; x++) {
        pthread_mutex_lock(&m);
        c = x;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *poke(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    int chosen = c;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&a[chosen]);
    if (flag[chosen] == 1) {
        count++;
        flag[chosen] = 0;
    }
    pthread_mutex_unlock(&a[chosen]);
    return NULL;
}

int main(void)
{
    pthread_t writers[N], chooser, poker;
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&a[i], NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, writer, (void *)i);
    for (int round = 0; round < K; round++) {
        pthread_create(&chooser, NULL, choose, NULL);
        pthread_create(&poker, NULL, poke, NULL);
        pthread_join(chooser, NULL);
        pthread_join(poker, NULL);
    }
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    return 0;
}
