// A stack of preallocated nodes: one thread is about to replace the top, another pops two and pushes the first again. The compare and
// exchange succeeds, since the address is the same, and the top becomes a node that somebody else holds.
// From: the classic; see treiber-stack.c for the stack without it.
//~ skip: none
//~ dpor: executions=39
//~ source: executions=39
//~ optimal: executions=39
//~ observers: executions=39
//~ cs: executions=39
//~ optimal-cs: executions=39
//~ optimal-cs-observers: executions=39
//~ constrained: executions=39
//~ quasi:optimal: executions=39
//~ violation: assertion in main at 34:9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int held;
};

static struct node a, b;
static struct node *_Atomic top;

static struct node *pop(void)
{
    struct node *old = top;
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    if (old)
        assert(atomic_exchange(&old->held, 1) == 0);
    return old;
}

static void push(struct node *node)
{
    struct node *old = top;
    node->held = 0;
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static void *other(void *unused)
{
    (void)unused;
    struct node *first = pop();
    pop();
    if (first)
        push(first);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    a.next = &b;
    top = &a;
    pthread_create(&thread, NULL, other, NULL);
    pop();
    pop();
    pthread_join(thread, NULL);
    return 0;
}
