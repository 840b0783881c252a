// An ordered set without locks, after Harris: removed nodes are marked in the low bit of their
// next pointer.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=17
//~ source: executions=17
//~ optimal: executions=17
//~ observers: executions=17
//~ cs: executions=17
//~ optimal-cs: executions=17
//~ optimal-cs-observers: executions=17
//~ constrained: executions=17
//~ quasi:optimal: executions=17
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define NODES 8

struct node { int key; _Atomic(uintptr_t) next; };

static struct node arena[NODES];
static atomic_uint used;
static struct node *head, *tail;

static struct node *node_new(int key)
{
    unsigned number = atomic_fetch_add(&used, 1);
    assert(number < NODES);
    arena[number].key = key;
    return &arena[number];
}

static bool is_marked(uintptr_t word) { return word & 1; }
static struct node *pointer(uintptr_t word) { return (struct node *)(word & ~(uintptr_t)1); }

static bool find(int key, struct node **left, struct node **right)
{
restart:;
    struct node *previous = head;
    struct node *current = pointer(atomic_load(&previous->next));
    for (;;) {
        uintptr_t next = atomic_load(&current->next);
        if (is_marked(next)) {
            uintptr_t expected = (uintptr_t)current;
            if (!atomic_compare_exchange_strong(&previous->next, &expected, next & ~(uintptr_t)1))
                goto restart;
            current = pointer(next);
            continue;
        }
        if (current->key >= key)
            break;
        previous = current;
        current = pointer(next);
    }
    *left = previous;
    *right = current;
    return current->key == key;
}

static bool insert(int key)
{
    struct node *left, *right, *node = NULL;
    for (;;) {
        if (find(key, &left, &right))
            return false;
        if (!node)
            node = node_new(key);
        atomic_store(&node->next, (uintptr_t)right);
        uintptr_t expected = (uintptr_t)right;
        if (atomic_compare_exchange_strong(&left->next, &expected, (uintptr_t)node))
            return true;
    }
}

static bool remove_key(int key)
{
    struct node *left, *right;
    for (;;) {
        if (!find(key, &left, &right))
            return false;
        uintptr_t next = atomic_load(&right->next);
        if (is_marked(next))
            continue;
#ifdef BUG
        uintptr_t expected = (uintptr_t)right;
        if (atomic_compare_exchange_strong(&left->next, &expected, next))
            return true;
#else
        if (atomic_compare_exchange_strong(&right->next, &next, next | 1)) {
            find(key, &left, &right);
            return true;
        }
#endif
    }
}

static bool contains(int key)
{
    struct node *current = pointer(atomic_load(&head->next));
    while (current->key < key)
        current = pointer(atomic_load(&current->next));
    return current->key == key && !is_marked(atomic_load(&current->next));
}

struct operation { char kind; int key; bool result; };

static void *run(void *argument)
{
    struct operation *operation = argument;
    switch (operation->kind) {
    case '+': operation->result = insert(operation->key); break;
    case '-': operation->result = remove_key(operation->key); break;
    default: operation->result = contains(operation->key); break;
    }
    return NULL;
}

int main(void)
{
    head = node_new(INT_MIN);
    tail = node_new(INT_MAX);
    atomic_store(&head->next, (uintptr_t)tail);
    bool done = insert(5);
    assert(done);
    struct operation operations[2] = { { '-', 5, false }, { '+', 7, false } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &operations[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(operations[0].result && operations[1].result);
    assert(!contains(5));
    assert(contains(7));
    return 0;
}
