// Lamport's bakery for two threads: draw a number greater than the other's, wait for those with a smaller one.
// From: Lamport, A new solution of Dijkstra's concurrent programming problem, 1974.
//~ skip: none
//~ dpor: executions=16
//~ source: executions=16
//~ optimal: executions=16
//~ observers: executions=16
//~ cs: executions=16
//~ optimal-cs: executions=16
//~ optimal-cs-observers: executions=16
//~ constrained: executions=16
//~ quasi:optimal: executions=16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int choosing[2], number[2];
static int counter;

static void *customer(void *argument)
{
    int me = (int)(intptr_t)argument, other = 1 - me;
    choosing[me] = 1;
    number[me] = 1 + number[other];
    choosing[me] = 0;
    while (choosing[other])
        ;
    for (;;) {
        int his = number[other];
        if (his == 0 || number[me] < his || (number[me] == his && me < other))
            break;
    }
    counter++;
    number[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, customer, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
