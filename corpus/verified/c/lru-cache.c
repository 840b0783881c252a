// A cache with a table of buckets, each with its mutex, and a list in the order of last use with a
// mutex of its own. Entries count their users: who looks one up may go on to read it after it
// was evicted. The order of locks is bucket before list; who evicts takes the victim off the
// list first, gives the list back, and only then takes the victim's bucket.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -- a,b a,c
//~ skip: none
//~ dpor: executions=598
//~ source: executions=598
//~ optimal: executions=598
//~ observers: executions=598
//~ cs: executions=598
//~ optimal-cs: executions=598
//~ optimal-cs-observers: executions=598
//~ constrained: executions=598
//~ quasi:optimal: executions=598
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CAPACITY
#define CAPACITY 1
#endif
#define BUCKETS 2
#define KEY_SIZE 12

struct entry {
    char key[KEY_SIZE];
    size_t length;
    char *value;
    atomic_int users;
    bool listed;
    struct entry *chain;
    struct entry *newer, *older;
};

struct bucket {
    pthread_mutex_t lock;
    struct entry *first;
};

struct cache {
    struct bucket buckets[BUCKETS];
    pthread_mutex_t list_lock;
    struct entry *newest, *oldest;
    int listed;
    atomic_uint hits, misses, evictions;
    char *(*load)(const char *key);
};

static unsigned hash(const char *key) {
    unsigned h = 5381;
    while (*key) h = h * 33 + (unsigned char)*key++;
    return h % BUCKETS;
}

/* Entries */

static struct entry *entry_new(const char *key, char *value) {
    struct entry *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    strncpy(e->key, key, sizeof e->key - 1);
    e->value = value;
    e->length = strlen(value);
    atomic_init(&e->users, 1); // the table
    return e;
}

static void entry_put(struct entry *e) {
#ifdef BUG
    // Two users can both find that they are not the last, or both that they are.
    int users = atomic_load(&e->users) - 1;
    atomic_store(&e->users, users);
    if (users > 0) return;
#else
    if (atomic_fetch_sub(&e->users, 1) > 1) return;
#endif
    free(e->value);
    free(e);
}

static struct entry *entry_get(struct entry *e) {
    atomic_fetch_add(&e->users, 1);
    return e;
}

/* The list; its lock is held */

static void list_remove(struct cache *c, struct entry *e) {
    if (e->newer) e->newer->older = e->older;
    else c->newest = e->older;
    if (e->older) e->older->newer = e->newer;
    else c->oldest = e->newer;
    e->newer = e->older = NULL;
    e->listed = false;
    c->listed--;
}

static void list_push(struct cache *c, struct entry *e) {
    e->older = c->newest;
    e->newer = NULL;
    if (c->newest) c->newest->newer = e;
    else c->oldest = e;
    c->newest = e;
    e->listed = true;
    c->listed++;
}

/* Buckets; their lock is held */

static struct entry *bucket_find(struct bucket *b, const char *key) {
    for (struct entry *e = b->first; e; e = e->chain)
        if (strcmp(e->key, key) == 0) return e;
    return NULL;
}

static bool bucket_unlink(struct bucket *b, struct entry *e) {
    for (struct entry **at = &b->first; *at; at = &(*at)->chain)
        if (*at == e) {
            *at = e->chain;
            return true;
        }
    return false;
}

/* The cache */

static void cache_init(struct cache *c, char *(*load)(const char *)) {
    memset(c, 0, sizeof *c);
    for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&c->buckets[i].lock, NULL);
    pthread_mutex_init(&c->list_lock, NULL);
    c->load = load;
}

static void evict(struct cache *c) {
    struct entry *victim = NULL;
    pthread_mutex_lock(&c->list_lock);
    if (c->listed > CAPACITY) {
        victim = entry_get(c->oldest);
        list_remove(c, victim);
    }
    pthread_mutex_unlock(&c->list_lock);
    if (!victim) return;
    struct bucket *b = &c->buckets[hash(victim->key)];
    pthread_mutex_lock(&b->lock);
    bool mine = bucket_unlink(b, victim);
    pthread_mutex_unlock(&b->lock);
    if (mine) {
        entry_put(victim); // the table's
        atomic_fetch_add_explicit(&c->evictions, 1, memory_order_relaxed);
    }
    entry_put(victim);
}

static void touch(struct cache *c, struct entry *e) {
    pthread_mutex_lock(&c->list_lock);
    if (e->listed) {
        list_remove(c, e);
        list_push(c, e);
    }
    pthread_mutex_unlock(&c->list_lock);
}

/* The entry of the key, loaded where it is missing; to be given back with entry_put. */
static struct entry *cache_get(struct cache *c, const char *key) {
    struct bucket *b = &c->buckets[hash(key)];
    pthread_mutex_lock(&b->lock);
    struct entry *e = bucket_find(b, key);
    if (e) {
        entry_get(e);
        touch(c, e);
        pthread_mutex_unlock(&b->lock);
        atomic_fetch_add_explicit(&c->hits, 1, memory_order_relaxed);
        return e;
    }
    char *value = c->load(key);
    if (!value) {
        pthread_mutex_unlock(&b->lock);
        return NULL;
    }
    e = entry_get(entry_new(key, value));
    e->chain = b->first;
    b->first = e;
    pthread_mutex_lock(&c->list_lock);
    list_push(c, e);
    pthread_mutex_unlock(&c->list_lock);
    pthread_mutex_unlock(&b->lock);
    atomic_fetch_add_explicit(&c->misses, 1, memory_order_relaxed);
    evict(c);
    return e;
}

static void cache_destroy(struct cache *c) {
    for (int i = 0; i < BUCKETS; i++) {
        struct entry *e = c->buckets[i].first;
        while (e) {
            struct entry *next = e->chain;
            assert(atomic_load(&e->users) == 1);
            entry_put(e);
            e = next;
        }
        pthread_mutex_destroy(&c->buckets[i].lock);
    }
    pthread_mutex_destroy(&c->list_lock);
}

/* An application */

static char *load_page(const char *key) {
    if (key[0] == '!') return NULL;
    size_t size = strlen(key) + 8;
    char *text = malloc(size);
    snprintf(text, size, "<p>%s</p>", key);
    return text;
}

struct client {
    struct cache *cache;
    const char *requests; // keys with commas between them
    pthread_t thread;
    size_t bytes;
    int failures;
};

static void *client_run(void *argument) {
    struct client *me = argument;
    char line[64], *rest = NULL;
    strncpy(line, me->requests, sizeof line - 1);
    line[sizeof line - 1] = '\0';
    for (char *key = strtok_r(line, ",", &rest); key; key = strtok_r(NULL, ",", &rest)) {
        struct entry *e = cache_get(me->cache, key);
        if (!e) {
            me->failures++;
            continue;
        }
        char expected[32];
        snprintf(expected, sizeof expected, "<p>%s</p>", key);
        assert(strcmp(e->value, expected) == 0);
        me->bytes += e->length;
        entry_put(e);
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct cache cache;
    int clients = argc - 1, requests = 0, failures = 0;
    if (clients < 1) return 2;
    cache_init(&cache, load_page);
    struct client *all = calloc((size_t)clients, sizeof *all);
    for (int i = 0; i < clients; i++) {
        all[i] = (struct client){ .cache = &cache, .requests = argv[i + 1] };
        pthread_create(&all[i].thread, NULL, client_run, &all[i]);
        requests++;
        for (const char *p = argv[i + 1]; *p; p++) requests += *p == ',';
    }
    for (int i = 0; i < clients; i++) {
        pthread_join(all[i].thread, NULL);
        failures += all[i].failures;
    }
    unsigned hits = atomic_load(&cache.hits), misses = atomic_load(&cache.misses);
    printf("%u hits, %u misses, %u evictions\n", hits, misses, atomic_load(&cache.evictions));
    assert((int)(hits + misses) == requests - failures);
    assert(cache.listed <= CAPACITY);
    cache_destroy(&cache);
    free(all);
    return 0;
}
