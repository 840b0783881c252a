// A counter that is increased by a load and a compare-exchange, again where that fails.
// Count: 60. The order of the successes: 6. The second to succeed may have failed once before; the third has 5 ways, by where its loads and failures lie between the successes of the
// others: 6 * 2 * 5. A failure is a load of its own, nothing is added for going round.
//~ none: executions=1396
//~ dpor: executions=60
//~ source: executions=60
//~ optimal: executions=60
//~ observers: executions=60
//~ cs: executions=60
//~ optimal-cs: executions=60
//~ optimal-cs-observers: executions=60
//~ constrained: executions=60
//~ quasi:optimal: executions=60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top;

static void *worker(void *unused)
{
    (void)unused;
    int old, new;
    do {
        old = atomic_load(&top);
        new = old + 1;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(top == 3);
    return 0;
}
