// A search tree of leaves and inner nodes, each with a latch: who goes down holds at most two, the
// node's and its parent's. Full nodes are split on the way down, so nobody goes up. Text in the
// leaves, a lock of its own for the statistics.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -D PRELOAD=4
//~ skip: none
//~ dpor: executions=5
//~ source: executions=5
//~ optimal: executions=5
//~ observers: executions=5
//~ cs: executions=5
//~ optimal-cs: executions=5
//~ optimal-cs-observers: executions=5
//~ constrained: executions=5
//~ quasi:optimal: executions=5
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDER 3
#ifndef PRELOAD
#define PRELOAD 3
#endif

struct node {
    pthread_rwlock_t latch;
    bool leaf;
    int count;
    int keys[ORDER];
    union {
        struct node *kids[ORDER + 1];
        char *values[ORDER];
    } u;
};

struct tree {
    pthread_rwlock_t root_latch;
    struct node *root;
    pthread_mutex_t stats;
    int splits, inserts, lookups;
};

static struct tree tree;

static struct node *make(bool leaf)
{
    struct node *node = calloc(1, sizeof *node);
    assert(node);
    pthread_rwlock_init(&node->latch, NULL);
    node->leaf = leaf;
    return node;
}

static int place(const struct node *node, int key)
{
    int at = 0;
    while (at < node->count && node->keys[at] <= key)
        at++;
    return at;
}

static void note(int *counter)
{
    pthread_mutex_lock(&tree.stats);
    ++*counter;
    pthread_mutex_unlock(&tree.stats);
}

/* Both latches are held by a writer. */
static void split(struct node *parent, int at)
{
    struct node *full = parent->u.kids[at], *right = make(full->leaf);
    int half = ORDER / 2;
    int up = full->keys[half];
    if (full->leaf) {
        right->count = full->count - half;
        memcpy(right->keys, full->keys + half, sizeof(int) * (size_t)right->count);
        memcpy(right->u.values, full->u.values + half, sizeof(char *) * (size_t)right->count);
    } else {
        right->count = full->count - half - 1;
        memcpy(right->keys, full->keys + half + 1, sizeof(int) * (size_t)right->count);
        memcpy(right->u.kids, full->u.kids + half + 1, sizeof(struct node *) * (size_t)(right->count + 1));
    }
    full->count = half;
    memmove(parent->keys + at + 1, parent->keys + at, sizeof(int) * (size_t)(parent->count - at));
    memmove(parent->u.kids + at + 2, parent->u.kids + at + 1, sizeof(struct node *) * (size_t)(parent->count - at));
    parent->keys[at] = up;
    parent->u.kids[at + 1] = right;
    parent->count++;
    note(&tree.splits);
}

static struct node *lock_root_for_writing(void)
{
    pthread_rwlock_wrlock(&tree.root_latch);
    struct node *root = tree.root;
    pthread_rwlock_wrlock(&root->latch);
    if (root->count == ORDER) {
        struct node *top = make(false);
        top->u.kids[0] = root;
        pthread_rwlock_wrlock(&top->latch);
        split(top, 0);
        tree.root = top;
        pthread_rwlock_unlock(&root->latch);
        root = top;
    }
    pthread_rwlock_unlock(&tree.root_latch);
    return root;
}

static void insert(int key, const char *value)
{
    struct node *node = lock_root_for_writing();
    while (!node->leaf) {
        int at = place(node, key);
        struct node *kid = node->u.kids[at];
        pthread_rwlock_wrlock(&kid->latch);
        if (kid->count == ORDER) {
            split(node, at);
            if (key >= node->keys[at]) {
                pthread_rwlock_unlock(&kid->latch);
                kid = node->u.kids[at + 1];
                pthread_rwlock_wrlock(&kid->latch);
            }
        }
        pthread_rwlock_unlock(&node->latch);
        node = kid;
    }
    int at = place(node, key);
    if (at > 0 && node->keys[at - 1] == key) {
        free(node->u.values[at - 1]);
        node->u.values[at - 1] = strdup(value);
    } else {
        memmove(node->keys + at + 1, node->keys + at, sizeof(int) * (size_t)(node->count - at));
        memmove(node->u.values + at + 1, node->u.values + at, sizeof(char *) * (size_t)(node->count - at));
        node->keys[at] = key;
        node->u.values[at] = strdup(value);
        node->count++;
    }
    pthread_rwlock_unlock(&node->latch);
    note(&tree.inserts);
}

static bool find(int key, char *into, size_t size)
{
    pthread_rwlock_rdlock(&tree.root_latch);
    struct node *node = tree.root;
    pthread_rwlock_rdlock(&node->latch);
    pthread_rwlock_unlock(&tree.root_latch);
    while (!node->leaf) {
        struct node *kid = node->u.kids[place(node, key)];
#ifdef BUG
        pthread_rwlock_unlock(&node->latch);
        pthread_rwlock_rdlock(&kid->latch);
#else
        pthread_rwlock_rdlock(&kid->latch);
        pthread_rwlock_unlock(&node->latch);
#endif
        node = kid;
    }
    int at = place(node, key);
    bool found = at > 0 && node->keys[at - 1] == key;
    if (found)
        snprintf(into, size, "%s", node->u.values[at - 1]);
    pthread_rwlock_unlock(&node->latch);
    note(&tree.lookups);
    return found;
}

static void drop(struct node *node)
{
    if (node->leaf)
        for (int i = 0; i < node->count; i++)
            free(node->u.values[i]);
    else
        for (int i = 0; i <= node->count; i++)
            drop(node->u.kids[i]);
    pthread_rwlock_destroy(&node->latch);
    free(node);
}

static int check(const struct node *node, int low, int high)
{
    int total = 0;
    for (int i = 0; i < node->count; i++) {
        assert(node->keys[i] >= low && node->keys[i] < high);
        assert(i == 0 || node->keys[i - 1] < node->keys[i]);
    }
    if (node->leaf)
        return node->count;
    for (int i = 0; i <= node->count; i++) {
        int from = i == 0 ? low : node->keys[i - 1], to = i == node->count ? high : node->keys[i];
        total += check(node->u.kids[i], from, to);
    }
    return total;
}

static void *writer(void *argument)
{
    int key = *(int *)argument;
    char text[16];
    snprintf(text, sizeof text, "v%d", key);
    insert(key, text);
    return NULL;
}

static void *reader(void *argument)
{
    int key = *(int *)argument;
    char text[16] = "";
    assert(find(key, text, sizeof text));
    char wanted[16];
    snprintf(wanted, sizeof wanted, "v%d", key);
    assert(strcmp(text, wanted) == 0);
    return NULL;
}

int main(void)
{
    pthread_rwlock_init(&tree.root_latch, NULL);
    pthread_mutex_init(&tree.stats, NULL);
    tree.root = make(true);
    for (int i = 0; i < PRELOAD; i++) {
        char text[16];
        snprintf(text, sizeof text, "v%d", 10 * i);
        insert(10 * i, text);
    }
    static int keys[] = { 15, 20 };
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, &keys[0]);
    pthread_create(&threads[1], NULL, reader, &keys[1]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(check(tree.root, -1000, 1000) == PRELOAD + 1);
    assert(tree.inserts == PRELOAD + 1 && tree.lookups == 1);
    drop(tree.root);
    pthread_rwlock_destroy(&tree.root_latch);
    return 0;
}
