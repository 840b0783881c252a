// The lock of Craig, Landin and Hagersten: each thread spins on the node of the one before it, and takes that node over.
// From: Craig, Building FIFO and priority-queueing spin locks from atomic swap, 1993.
// Count: the orders of two exchanges, 2: all else is ordered by the queue.
//~ none: executions=33
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int locked;
};

static struct node *_Atomic tail;
static int counter;

static void *worker(void *unused)
{
    (void)unused;
    struct node *mine = malloc(sizeof *mine);
    mine->locked = 1;
    struct node *before = atomic_exchange(&tail, mine);
    while (before->locked)
        ;
    free(before);
    counter++;
    mine->locked = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    tail = calloc(1, sizeof(struct node));
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    free(tail);
    return 0;
}
