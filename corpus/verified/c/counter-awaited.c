// Threads say by a counter that they are done; main waits for all of them and reads what they wrote.
// Count: one trace: the additions commute, and main goes on after all of them.
//~ flags: -D N=3
//~ none: executions=280
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

static atomic_int done;
static int results[N];

static void *worker(void *argument)
{
    results[(intptr_t)argument] = 1;
    atomic_fetch_add_explicit(&done, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    while (atomic_load_explicit(&done, memory_order_acquire) != N)
        ;
    for (int i = 0; i < N; i++)
        assert(results[i] == 1);
    return 0;
}
