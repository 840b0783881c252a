// The queue of Michael and Scott: head and tail move by compare and exchange, and who finds the tail lagging helps it on.
// From: Michael and Scott, Simple, fast, and practical non-blocking and blocking concurrent queue algorithms, 1996.
// Nodes are not freed while the threads run.
//~ skip: none
//~ dpor: executions=24
//~ source: executions=24
//~ optimal: executions=24
//~ observers: executions=24
//~ cs: executions=24
//~ optimal-cs: executions=24
//~ optimal-cs-observers: executions=24
//~ constrained: executions=24
//~ quasi:optimal: executions=24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail;

static struct node *new_node(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void enqueue(int value)
{
    struct node *node = new_node(value);
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (!next)
            return 0;
        if (first == last)
            atomic_compare_exchange_strong(&tail, &last, next);
        else if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static void *producer(void *unused)
{
    (void)unused;
    enqueue(1);
    enqueue(2);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    head = tail = new_node(0);
    pthread_create(&thread, NULL, producer, NULL);
    int first = dequeue();
    int second = dequeue();
    assert(first == 0 ? second <= 1 : first == 1 && (second == 0 || second == 2));
    pthread_join(thread, NULL);
    return 0;
}
