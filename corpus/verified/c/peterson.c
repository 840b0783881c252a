// Peterson's algorithm for two threads, with sequentially consistent atomics.
// From: Peterson, Myths about the mutual exclusion problem, 1981.
// To be seen: the waiting loops end, and the plain counter is not raced for.
//~ skip: none
//~ dpor: executions=12
//~ source: executions=12
//~ optimal: executions=12
//~ observers: executions=12
//~ cs: executions=12
//~ optimal-cs: executions=12
//~ optimal-cs-observers: executions=12
//~ constrained: executions=12
//~ quasi:optimal: executions=12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag[2], turn;
static int counter;

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument, other = 1 - me;
    flag[me] = 1;
    turn = other;
    while (flag[other] && turn == other)
        ;
    counter++;
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
