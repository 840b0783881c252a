// A loop that waits for a value, with its first load before it.
// Count: 1, since the load that ends the loop comes after the last store.
//~ none: executions=1
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *counter(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 10; i++)
        atomic_store(&x, i);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, counter, NULL);
    int seen = atomic_load(&x);
    while (seen != 10)
        seen = atomic_load(&x);
    pthread_join(thread, NULL);
    return 0;
}
