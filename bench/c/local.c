// N threads that each compute for a while, STEPS rounds of a loop over locals, and then write one shared variable.
// Count: N!.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 6
#endif
#ifndef STEPS
#define STEPS 10000
#endif

static atomic_uint x;

static void *worker(void *argument)
{
    unsigned value = (unsigned)(intptr_t)argument;
    for (int i = 0; i < STEPS; i++)
        value = value * 1664525u + 1013904223u;
    x = value;
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
