// A hazard pointer: the reader announces the node that it is about to look into, and looks once
// more whether it is still the current one. The writer replaces the node, waits until nobody
// announces the old one, and frees it.
//~ flags: --leaks
//~ none: executions=136
//~ dpor: executions=7
//~ source: executions=7
//~ optimal: executions=7
//~ observers: executions=7
//~ cs: executions=7
//~ optimal-cs: executions=7
//~ optimal-cs-observers: executions=7
//~ constrained: executions=7
//~ quasi:optimal: executions=7
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
};

static _Atomic(struct node *) current, hazard;

static struct node *make(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    return node;
}

static struct node *acquire(void)
{
    struct node *node;
    do {
        node = current;
        hazard = node;
    } while (node != current);
    return node;
}

static void *reader(void *unused)
{
    (void)unused;
    struct node *node = acquire();
    assert(node->value == 1 || node->value == 2);
    hazard = NULL;
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    struct node *old = atomic_exchange(&current, make(2));
    while (hazard == old)
        ;
    free(old);
    return NULL;
}

int main(void)
{
    current = make(1);
    pthread_t one, other;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&other, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    free(current);
    return 0;
}
