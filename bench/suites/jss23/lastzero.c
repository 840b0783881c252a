// lastzero.mzk in C: N threads each fill their cell from the one before; another one looks for the last cell that is still zero.
// A cell is read and the next one written in two steps. Count: (N + 3) * 2^(N - 2) all the same, since nobody writes between them what matters.
//~ flags: -D N=4
//~ none: executions=270145
//~ dpor: executions=28 blocked=33
//~ source: executions=28 blocked=19
//~ optimal: executions=28
//~ observers: executions=28
//~ cs: executions=28 blocked=19
//~ optimal-cs: executions=28
//~ optimal-cs-observers: executions=28
//~ constrained: executions=28 blocked=19
//~ quasi:optimal: executions=28
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 6
#endif

static atomic_int a[N + 1];

static void *look(void *argument)
{
    (void)argument;
    int i = N;
    while (a[i] != 0)
        i--;
    return NULL;
}

static void *fill(void *argument)
{
    int k = (int)(intptr_t)argument;
    a[k + 1] = a[k] + 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[N], NULL, look, NULL);
    for (intptr_t k = 0; k < N; k++)
        pthread_create(&threads[k], NULL, fill, (void *)k);
    for (int k = 0; k <= N; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
