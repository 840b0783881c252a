// A lock of one word, taken by exchange; a failed attempt changes nothing, so the loop waits.
// Count: the orders of three critical sections, 3! = 6; how often somebody tried in vain does not matter.
//~ skip: none
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *unused)
{
    (void)unused;
    while (atomic_flag_test_and_set(&lock))
        ;
    counter++;
    atomic_flag_clear(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}
