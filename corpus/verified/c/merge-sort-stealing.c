// A merge sort in parallel: each worker has a deque of tasks of its own, takes from its bottom, and
// steals from the top of others' when it has none. A task that is split counts its parts; who
// finishes the last part goes on with the merge. Each task has an arena of its own for merging.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -- 3 1 2 5 4
//~ skip: none
//~ dpor: executions=449
//~ source: executions=449
//~ optimal: executions=449
//~ observers: executions=449
//~ cs: executions=449
//~ optimal-cs: executions=449
//~ optimal-cs-observers: executions=449
//~ constrained: executions=449
//~ quasi:optimal: executions=449
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#define DEQUE 8
#define CUTOFF 2

struct item {
    int key;
    char tag;
    short place;
};

struct task {
    struct item *items;
    size_t count, half;
    atomic_int parts;
    struct task *parent;
};

struct deque {
    atomic_int top, bottom;
    _Atomic(struct task *) tasks[DEQUE];
};

struct worker {
    int number;
    pthread_t thread;
    struct deque deque;
    unsigned ran, stolen;
};

static struct worker workers[WORKERS];
static atomic_bool finished;
static int (*compare)(const struct item *, const struct item *);

/* Deques, after Chase and Lev; of a fixed size */

static bool deque_push(struct deque *d, struct task *t) {
    int bottom = atomic_load(&d->bottom), top = atomic_load(&d->top);
    if (bottom - top >= DEQUE) return false;
    atomic_store(&d->tasks[bottom % DEQUE], t);
    atomic_store(&d->bottom, bottom + 1);
    return true;
}

static struct task *deque_take(struct deque *d) {
    int bottom = atomic_load(&d->bottom) - 1;
    atomic_store(&d->bottom, bottom);
    int top = atomic_load(&d->top);
    if (top > bottom) {
        atomic_store(&d->bottom, bottom + 1);
        return NULL;
    }
    struct task *t = atomic_load(&d->tasks[bottom % DEQUE]);
    if (top < bottom) return t;
    // The last one: a thief may be about to take it.
    if (!atomic_compare_exchange_strong(&d->top, &top, top + 1)) t = NULL;
    atomic_store(&d->bottom, bottom + 1);
    return t;
}

static struct task *deque_steal(struct deque *d) {
    int top = atomic_load(&d->top), bottom = atomic_load(&d->bottom);
    if (top >= bottom) return NULL;
    struct task *t = atomic_load(&d->tasks[top % DEQUE]);
    if (!atomic_compare_exchange_strong(&d->top, &top, top + 1)) return NULL;
    return t;
}

/* Sorting */

static int by_key(const struct item *a, const struct item *b) {
    return (a->key > b->key) - (a->key < b->key);
}

static int by_key_downwards(const struct item *a, const struct item *b) { return by_key(b, a); }

static void insertion_sort(struct item *items, size_t count) {
    for (size_t i = 1; i < count; i++) {
        struct item x = items[i];
        size_t j = i;
        for (; j > 0 && compare(&items[j - 1], &x) > 0; j--) items[j] = items[j - 1];
        items[j] = x;
    }
}

static void merge(struct item *items, size_t half, size_t count) {
    struct item *arena = malloc(count * sizeof *arena);
    size_t a = 0, b = half, n = 0;
    while (a < half && b < count)
        arena[n++] = compare(&items[a], &items[b]) <= 0 ? items[a++] : items[b++];
    memcpy(arena + n, items + a, (half - a) * sizeof *arena);
    n += half - a;
    memcpy(arena + n, items + b, (count - b) * sizeof *arena);
    memcpy(items, arena, count * sizeof *arena);
    free(arena);
}

static struct task *task_new(struct item *items, size_t count, struct task *parent) {
    struct task *t = malloc(sizeof *t);
    t->items = items;
    t->count = count;
    t->half = count / 2;
    t->parent = parent;
    atomic_init(&t->parts, 0);
    return t;
}

/* A task has been sorted: its parent may be complete, and so on upwards. */
static void task_done(struct task *t) {
    for (;;) {
        struct task *parent = t->parent;
        free(t);
        if (!parent) {
            atomic_store(&finished, true);
            return;
        }
#ifdef BUG
        // What the other part wrote is not known to be over.
        if (atomic_fetch_sub_explicit(&parent->parts, 1, memory_order_relaxed) > 1) return;
#else
        if (atomic_fetch_sub(&parent->parts, 1) > 1) return;
#endif
        merge(parent->items, parent->half, parent->count);
        t = parent;
    }
}

static void task_run(struct worker *me, struct task *t) {
    me->ran++;
    while (t->count > CUTOFF) {
        atomic_store(&t->parts, 2);
        struct task *left = task_new(t->items, t->half, t);
        struct task *right = task_new(t->items + t->half, t->count - t->half, t);
        if (!deque_push(&me->deque, right)) {
            insertion_sort(right->items, right->count);
            task_done(right);
        }
        t = left;
    }
    insertion_sort(t->items, t->count);
    task_done(t);
}

static void *worker_run(void *argument) {
    struct worker *me = argument;
    int attempts = 0;
    while (!atomic_load(&finished) && attempts < WORKERS) {
        struct task *t = deque_take(&me->deque);
        if (!t) {
            int victim = (me->number + 1 + attempts) % WORKERS;
            attempts++;
            if (victim != me->number) t = deque_steal(&workers[victim].deque);
            if (t) me->stolen++;
        }
        if (t) {
            attempts = 0;
            task_run(me, t);
        }
    }
    return NULL;
}

/* An application: sorts the numbers of its arguments */

static struct item *read_items(int count, char **words) {
    struct item *items = calloc((size_t)count, sizeof *items);
    for (int i = 0; i < count; i++) {
        char *end;
        items[i].key = (int)strtol(words[i], &end, 10);
        items[i].tag = *end ? *end : '-';
        items[i].place = (short)i;
    }
    return items;
}

static void check(const struct item *items, int count) {
    unsigned seen = 0;
    for (int i = 0; i < count; i++) {
        assert(!(seen & 1u << items[i].place));
        seen |= 1u << items[i].place;
        if (i == 0) continue;
        int order = compare(&items[i - 1], &items[i]);
        assert(order < 0 || (order == 0 && items[i - 1].place < items[i].place));
    }
    assert(seen == (1u << count) - 1);
}

int main(int argc, char **argv) {
    bool downwards = argc > 1 && strcmp(argv[1], "down") == 0;
    compare = downwards ? by_key_downwards : by_key;
    const int first = downwards ? 2 : 1, count = argc - first;
    if (count < 1 || count > 31) return 2;
    struct item *items = read_items(count, argv + first);
    for (int i = 0; i < WORKERS; i++) workers[i].number = i;
    deque_push(&workers[0].deque, task_new(items, (size_t)count, NULL));
    for (int i = 1; i < WORKERS; i++)
        pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]);
    worker_run(&workers[0]);
    for (int i = 1; i < WORKERS; i++) pthread_join(workers[i].thread, NULL);
    while (!atomic_load(&finished)) worker_run(&workers[0]);
    check(items, count);
    for (int i = 0; i < count; i++) printf("%d%c ", items[i].key, items[i].tag);
    printf("(%u stolen)\n", workers[WORKERS - 1].stolen);
    free(items);
    return 0;
}
