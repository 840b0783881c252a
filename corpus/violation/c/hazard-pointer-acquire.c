// A hazard pointer whose reader does not look once more whether the node that it has announced is
// still the current one: the writer may have freed it in the meantime.
//~ none: executions=43
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: use-after-free in reader#1 at 43:5
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
    struct node *node = current;
    hazard = node;
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
