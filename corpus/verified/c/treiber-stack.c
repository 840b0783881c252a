// A stack by compare and exchange of its top. Two threads push one node each and pop one; nodes are not used again, so there is no
// trap in comparing addresses.
// From: Treiber, Systems programming: coping with parallelism, 1986.
//~ skip: none
//~ dpor: executions=40
//~ source: executions=40
//~ optimal: executions=40
//~ observers: executions=40
//~ cs: executions=40
//~ optimal-cs: executions=40
//~ optimal-cs-observers: executions=40
//~ constrained: executions=40
//~ quasi:optimal: executions=40
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;
static int popped[2];

static void push(struct node *node)
{
    struct node *old = top;
    do
        node->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, node));
}

static struct node *pop(void)
{
    struct node *old = top;
    while (old && !atomic_compare_exchange_weak(&top, &old, old->next))
        ;
    return old;
}

static void *worker(void *argument)
{
    int *result = argument;
    struct node *node = malloc(sizeof *node);
    node->value = (int)(result - popped) + 1;
    push(node);
    *result = pop()->value;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &popped[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(popped[0] + popped[1] == 3 && popped[0] != popped[1] && top == NULL);
    return 0;
}
