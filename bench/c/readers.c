// One thread writes a variable, N threads read it.
// Count: each reader comes before the write or after it, 2^N.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif

static atomic_int x;

static void *writer(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, writer, NULL);
    for (int i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
