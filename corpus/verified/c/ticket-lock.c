// A ticket lock: draw a number, wait until it is served.
// Count: the orders of three tickets, 3! = 6. Waiting is no event, and everything else is ordered by the lock.
//~ skip: none
//~ dpor: executions=6 blocked=1
//~ source: executions=6 blocked=1
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6 blocked=1
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6 blocked=1
//~ quasi:optimal: executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

static atomic_uint next_ticket, now_serving;
static int counter;

static void *worker(void *unused)
{
    (void)unused;
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (now_serving != mine)
        ;
    counter++;
    now_serving = mine + 1;
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
