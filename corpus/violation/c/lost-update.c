// The same counter as an atomic variable, read and written in two steps, and no data race.
// Count: 4. One thread after the other (2), or both read first and either of them writes last (2); there the update is lost.
//~ none: executions=10
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
//~ violation: assertion in main at 35:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *worker(void *unused)
{
    (void)unused;
    int seen = counter;
    counter = seen + 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
