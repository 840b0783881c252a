// Szymanski's algorithm for two threads: a waiting room with a door that is closed once somebody has gone through.
// From: Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait, 1988.
//~ skip: none
//~ dpor: executions=29
//~ source: executions=29
//~ optimal: executions=29
//~ observers: executions=29
//~ cs: executions=29
//~ optimal-cs: executions=29
//~ optimal-cs-observers: executions=29
//~ constrained: executions=29
//~ quasi:optimal: executions=29
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag[2];
static int counter;

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument, other = 1 - me;
    flag[me] = 1;                       // In the prologue.
    while (flag[other] >= 3)
        ;
    flag[me] = 3;                       // In the doorway.
    if (flag[other] == 1) {
        flag[me] = 2;                   // Waiting for the others to come in.
        while (flag[other] != 4)
            ;
    }
    flag[me] = 4;                       // The door is closed.
    if (me == 1)
        while (flag[0] >= 2)
            ;
    counter++;
    if (me == 0)
        for (;;) {
            int his = flag[1];
            if (his < 2 || his > 3)
                break;
        }
    flag[me] = 0;
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
