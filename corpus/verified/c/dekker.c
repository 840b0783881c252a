// Dekker's algorithm: who wants to enter and is not its turn steps back for a while.
// From: Dijkstra, Cooperating sequential processes, 1965.
//~ skip: none
//~ dpor: executions=11
//~ source: executions=11
//~ optimal: executions=11
//~ observers: executions=11
//~ cs: executions=11
//~ optimal-cs: executions=11
//~ optimal-cs-observers: executions=11
//~ constrained: executions=11
//~ quasi:optimal: executions=11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;
static int counter;

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument, other = 1 - me;
    wants[me] = true;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = false;
            while (turn != me)
                ;
            wants[me] = true;
        }
    }
    counter++;
    turn = other;
    wants[me] = false;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
