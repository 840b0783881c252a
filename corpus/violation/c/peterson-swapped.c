// Peterson's algorithm with its first two lines exchanged.
// To be seen: both are inside, and race for the counter.
//~ skip: none
//~ dpor: executions=18
//~ source: executions=18
//~ optimal: executions=18
//~ observers: executions=18
//~ cs: executions=18
//~ optimal-cs: executions=18
//~ optimal-cs-observers: executions=18
//~ constrained: executions=18
//~ quasi:optimal: executions=18
//~ violation: data-race in worker#1 at 31:12
//~ violation: data-race in worker#2 at 31:12
//~ violation: assertion in main at 43:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag[2], turn;
static int counter;

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument, other = 1 - me;
    turn = other;
    flag[me] = 1;
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
