// Two threads count without a lock: a data race, and, where that does not matter, a lost update.
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
//~ violation: data-race in worker#1 at 23:12
//~ violation: data-race in worker#2 at 23:12
//~ violation: assertion in main at 34:5
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *unused)
{
    (void)unused;
    counter++;
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
