// The lock of Mellor-Crummey and Scott: a queue of waiting threads, each of which spins on its own node.
// From: Mellor-Crummey and Scott, Algorithms for scalable synchronization, 1991.
//~ skip: none
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int locked;
};

static struct node *_Atomic tail;
static struct node nodes[2];
static int counter;

static void *worker(void *argument)
{
    struct node *mine = argument;
    mine->next = NULL;
    struct node *before = atomic_exchange(&tail, mine);
    if (before) {
        mine->locked = 1;
        before->next = mine;
        while (mine->locked)
            ;
    }
    counter++;
    if (mine->next == NULL) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return NULL;
        while (mine->next == NULL)
            ;
    }
    mine->next->locked = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
