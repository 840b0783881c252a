// Peterson's algorithm with plain variables: a compiler may assume that nobody else writes them, so each is raced for.
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
//~ violation: data-race in worker#1 at 27:14
//~ violation: data-race in worker#2 at 27:14
//~ violation: data-race in worker#1 at 28:10
//~ violation: data-race in worker#2 at 28:10
//~ violation: data-race in worker#1 at 29:12
//~ violation: data-race in worker#2 at 29:12
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int flag[2], turn, counter;

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
