// What the failing execution printed is shown with it.
//~ none: executions=3
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: assertion in main at 33:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int turn;

static void *worker(void *unused)
{
    (void)unused;
    printf("worker: turn is %d\n", turn);
    turn = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    puts("main: started");
    assert(turn == 0);
    pthread_join(thread, NULL);
    return 0;
}
