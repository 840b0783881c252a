// A cache under a read-write lock: what is not there is computed under the write lock, the oldest
// entry that nobody has pinned goes.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=63
//~ source: executions=63
//~ optimal: executions=63
//~ observers: executions=63
//~ cs: executions=63
//~ optimal-cs: executions=63
//~ optimal-cs-observers: executions=63
//~ constrained: executions=63
//~ quasi:optimal: executions=63
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 2, LIMIT = 1 };

union payload {
    uint64_t bits;
    struct { uint32_t low, high; } half;
    unsigned char bytes[8];
};

struct entry {
    char key[12];
    union payload payload;
    atomic_int pins;
    unsigned age;
    struct entry *next;
};

struct cache {
    pthread_rwlock_t lock;
    struct entry *buckets[BUCKETS];
    unsigned size, clock;
    atomic_uint hits, misses;
};

static struct cache cache = { .lock = PTHREAD_RWLOCK_INITIALIZER };

static unsigned hash(const char *key)
{
    unsigned h = 5381;
    for (; *key; key++)
        h = h * 33 ^ (unsigned char)*key;
    return h % BUCKETS;
}

static struct entry *find(const char *key)
{
    struct entry *entry = cache.buckets[hash(key)];
    while (entry && strcmp(entry->key, key) != 0)
        entry = entry->next;
    return entry;
}

static union payload compute(const char *key)
{
    union payload payload = { .half = { (uint32_t)strlen(key), 0 } };
    payload.bytes[7] = (unsigned char)key[0];
    return payload;
}

static void evict_oldest(void)
{
    struct entry **oldest = NULL;
    for (int b = 0; b < BUCKETS; b++) {
        for (struct entry **at = &cache.buckets[b]; *at; at = &(*at)->next) {
#ifndef BUG
            if (atomic_load(&(*at)->pins) != 0)
                continue;
#endif
            if (!oldest || (*at)->age < (*oldest)->age)
                oldest = at;
        }
    }
    if (!oldest)
        return;
    struct entry *gone = *oldest;
    *oldest = gone->next;
    cache.size--;
    memset(gone, 0xdd, sizeof *gone);
    free(gone);
}

static struct entry *insert(const char *key)
{
    struct entry *entry = find(key);
    if (entry)
        return entry;
    if (cache.size >= LIMIT)
        evict_oldest();
    entry = malloc(sizeof *entry);
    if (!entry)
        abort();
    strncpy(entry->key, key, sizeof entry->key - 1);
    entry->key[sizeof entry->key - 1] = '\0';
    entry->payload = compute(key);
    atomic_init(&entry->pins, 0);
    entry->age = cache.clock++;
    unsigned b = hash(key);
    entry->next = cache.buckets[b];
    cache.buckets[b] = entry;
    cache.size++;
    return entry;
}

static struct entry *acquire(const char *key)
{
    pthread_rwlock_rdlock(&cache.lock);
    struct entry *entry = find(key);
    if (entry) {
        atomic_fetch_add(&entry->pins, 1);
        atomic_fetch_add(&cache.hits, 1);
        pthread_rwlock_unlock(&cache.lock);
        return entry;
    }
    pthread_rwlock_unlock(&cache.lock);
    atomic_fetch_add(&cache.misses, 1);
    pthread_rwlock_wrlock(&cache.lock);
    entry = insert(key);
    atomic_fetch_add(&entry->pins, 1);
    pthread_rwlock_unlock(&cache.lock);
    return entry;
}

static void release(struct entry *entry)
{
    int before = atomic_fetch_sub(&entry->pins, 1);
    assert(before > 0);
}

static void check(const char *key)
{
    struct entry *entry = acquire(key);
    assert(strcmp(entry->key, key) == 0);
    assert(entry->payload.half.low == strlen(key));
    assert(entry->payload.bytes[7] == (unsigned char)key[0]);
    release(entry);
}

static void *reader(void *argument)
{
    const char **keys = argument;
    for (; *keys; keys++)
        check(*keys);
    return NULL;
}

static void flush(void)
{
    for (int b = 0; b < BUCKETS; b++) {
        struct entry *entry = cache.buckets[b];
        while (entry) {
            struct entry *next = entry->next;
            assert(atomic_load(&entry->pins) == 0);
            free(entry);
            entry = next;
        }
        cache.buckets[b] = NULL;
    }
}

int main(void)
{
    static const char *one[] = { "alpha", "beta", NULL };
    static const char *two[] = { "beta", NULL };
    pthread_t threads[2];
    check("gamma");
    pthread_create(&threads[0], NULL, reader, one);
    pthread_create(&threads[1], NULL, reader, two);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(cache.size <= LIMIT + 2);
    assert(atomic_load(&cache.hits) + atomic_load(&cache.misses) == 4);
    flush();
    pthread_rwlock_destroy(&cache.lock);
    return 0;
}
