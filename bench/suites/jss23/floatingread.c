// floatingread.mzk in C: N writers of one variable and one reader that may come at any time.
// Count: (N + 1)!.
//~ flags: -D N=4
//~ none: executions=1920
//~ dpor: executions=120
//~ source: executions=120
//~ optimal: executions=120
//~ observers: executions=33
//~ cs: executions=120
//~ optimal-cs: executions=120
//~ optimal-cs-observers: executions=33
//~ constrained: executions=120
//~ quasi:optimal: executions=120
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 7
#endif

static atomic_int x = 1;
static int seen;

static void *writer(void *argument)
{
    (void)argument;
    x = 1;
    return NULL;
}

static void *reader(void *argument)
{
    (void)argument;
    seen = x;
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    pthread_create(&threads[N], NULL, reader, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    assert(seen == 1);
    return 0;
}
