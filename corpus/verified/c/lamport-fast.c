// Lamport's fast mutual exclusion for two threads: seven accesses where nobody else wants to enter.
// From: Lamport, A fast mutual exclusion algorithm, 1987. Threads that would have to begin again give up, so that it stays small.
//~ skip: none
//~ dpor: executions=16
//~ source: executions=16
//~ optimal: executions=16
//~ observers: executions=14
//~ cs: executions=16
//~ optimal-cs: executions=16
//~ optimal-cs-observers: executions=14
//~ constrained: executions=16
//~ quasi:optimal: executions=16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y, b[3];
static int counter;
static atomic_int entered;

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument;
    b[me] = 1;
    x = me;
    if (y != 0) {
        b[me] = 0;
        return NULL;
    }
    y = me;
    if (x != me) {
        b[me] = 0;
        for (int other = 1; other <= 2; other++)
            while (b[other])
                ;
        if (y != me)
            return NULL;
    }
    counter++;
    atomic_fetch_add(&entered, 1);
    y = 0;
    b[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == entered && counter >= 1);
    return 0;
}
