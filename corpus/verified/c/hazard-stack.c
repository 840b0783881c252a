// A stack with hazard pointers, found by each thread in a thread-local variable; what is retired
// is freed once nobody protects it.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks
//~ skip: none
//~ dpor: executions=26
//~ source: executions=26
//~ optimal: executions=26
//~ observers: executions=26
//~ cs: executions=26
//~ optimal-cs: executions=26
//~ optimal-cs-observers: executions=26
//~ constrained: executions=26
//~ quasi:optimal: executions=26
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 2
#define RETIRED 4

struct node { int value; struct node *next; };

struct record {
    _Atomic(struct node *) hazard;
    struct node *retired[RETIRED];
    unsigned count;
};

static _Atomic(struct node *) head;
static struct record records[THREADS + 1];
static _Thread_local struct record *mine;
static atomic_int freed;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&head);
    while (!atomic_compare_exchange_weak(&head, &node->next, node))
        ;
}

static bool is_protected(const struct node *node)
{
    for (int i = 0; i <= THREADS; i++)
        if (atomic_load(&records[i].hazard) == node)
            return true;
    return false;
}

static void scan(void)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < mine->count; i++) {
        struct node *node = mine->retired[i];
        if (is_protected(node)) {
            mine->retired[kept++] = node;
        } else {
            free(node);
            atomic_fetch_add(&freed, 1);
        }
    }
    mine->count = kept;
}

static void retire(struct node *node)
{
    assert(mine->count < RETIRED);
    mine->retired[mine->count++] = node;
    scan();
}

static bool pop(int *value)
{
    struct node *node;
    for (;;) {
        node = atomic_load(&head);
        if (!node)
            return false;
        atomic_store(&mine->hazard, node);
#ifndef BUG
        if (atomic_load(&head) != node)
            continue;
#endif
        struct node *next = node->next;
        if (atomic_compare_exchange_strong(&head, &node, next))
            break;
    }
    *value = node->value;
    atomic_store(&mine->hazard, NULL);
    retire(node);
    return true;
}

struct result { int index, values[2], count; };

static void *popper(void *argument)
{
    struct result *result = argument;
    mine = &records[result->index];
    int value;
    while (result->count < 1 && pop(&value))
        result->values[result->count++] = value;
    return NULL;
}

int main(void)
{
    struct result results[THREADS] = { 0 };
    pthread_t threads[THREADS];
    mine = &records[THREADS];
    push(1);
    push(2);
    for (int i = 0; i < THREADS; i++) {
        results[i].index = i;
        pthread_create(&threads[i], NULL, popper, &results[i]);
    }
    int seen = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        for (int j = 0; j < results[i].count; j++) {
            assert(!(seen & 1 << results[i].values[j]));
            seen |= 1 << results[i].values[j];
        }
    }
    assert(seen == (1 << 1 | 1 << 2));
    for (int i = 0; i < THREADS; i++) {
        mine = &records[i];
        scan();
        assert(mine->count == 0);
    }
    assert(atomic_load(&freed) == 2);
    return 0;
}
