// N threads write one variable, and one reads it.
// Count: N writes in any order, and the read before the first, between two, or after the last of them: (N + 1)!.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 7
#endif

static atomic_int x;

static void *writer(void *argument)
{
    x = (int)(intptr_t)argument;
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
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)(i + 1));
    pthread_create(&threads[N], NULL, reader, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
