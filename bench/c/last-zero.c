// N threads each write a cell after reading the one before it; one thread searches for the last cell that is zero.
// Count: as lastzero of the process notation with as many threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 10
#endif

static atomic_int cells[N + 1];

static void *writer(void *argument)
{
    int i = (int)(intptr_t)argument;
    cells[i] = cells[i - 1] + 1;
    return NULL;
}

static void *searcher(void *unused)
{
    (void)unused;
    int i = N;
    while (cells[i] != 0)
        i--;
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, searcher, NULL);
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
