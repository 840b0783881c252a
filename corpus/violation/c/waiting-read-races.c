// A thread waits for an atomic variable by plain reads, and the value that it waits for never comes;
// the program ends nevertheless. The read that waits is in a data race with the atomic write, though
// neither that write nor any other access is plain.
//~ none: executions=2
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
//~ violation: data-race in changer#1 at 33:5
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state;

static int peek(int *at) { return *at; }

static void *waiter(void *unused)
{
    while (peek((int *)&state) != 1)
        ;
    return unused;
}

static void *changer(void *unused)
{
    int expected = 0;
    atomic_compare_exchange_strong(&state, &expected, 2);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, changer, NULL);
    pthread_create(&threads[1], NULL, waiter, NULL);
    return 0;
}
