// A slab allocator with caches of each thread: objects of one size come from slabs, each thread
// keeps a few that it gave back, and exchanges them in magazines with a depot under a mutex.
// A thread's cache is given back by the destructor of a key. Objects are passed from thread to
// thread by mailboxes, and given back by others than those who took them.
// Count: with ROUNDS=1 it is 108: 6 orders of the depot before the letters, 6 behind, and either
// friend, or none, waits for its letter. With 2 rounds, as the algorithms agree; brute force does
// not come to an end.
//~ flags: --leaks -D ROUNDS=2
//~ skip: none
//~ dpor: executions=2592
//~ source: executions=2592
//~ optimal: executions=2592
//~ observers: executions=2592
//~ cs: executions=2592
//~ optimal-cs: executions=2592
//~ optimal-cs-observers: executions=2592
//~ constrained: executions=2592
//~ quasi:optimal: executions=2592
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#define SLAB_OBJECTS 2
#define MAGAZINE 1
#define POISON 0xA5

union object {
    union object *next;
    max_align_t align;
    unsigned char bytes[32];
};

struct slab {
    struct slab *next;
    unsigned used;
    union object objects[SLAB_OBJECTS];
};

struct magazine {
    struct magazine *next;
    int count;
    union object *rounds[MAGAZINE];
};

struct depot {
    pthread_mutex_t lock;
    struct slab *slabs;
    struct magazine *full;
    union object *loose;
    unsigned slabs_made, handed_out;
    pthread_key_t key;
};

static struct depot depot = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The depot; its lock is held */

static union object *depot_object(void) {
    union object *o = depot.loose;
    if (o) {
        depot.loose = o->next;
        return o;
    }
    struct slab *s = depot.slabs;
    if (!s || s->used == SLAB_OBJECTS) {
        s = malloc(sizeof *s);
        if (!s) return NULL;
        memset(s->objects, POISON, sizeof s->objects);
        s->used = 0;
        s->next = depot.slabs;
        depot.slabs = s;
        depot.slabs_made++;
    }
    return &s->objects[s->used++];
}

/* Caches of threads */

static struct magazine *my_magazine(void) {
    struct magazine *m = pthread_getspecific(depot.key);
    if (m) return m;
    m = calloc(1, sizeof *m);
    pthread_setspecific(depot.key, m);
    return m;
}

static void give_magazine_back(void *argument) {
    struct magazine *m = argument;
    pthread_mutex_lock(&depot.lock);
    while (m->count > 0) {
        union object *o = m->rounds[--m->count];
        o->next = depot.loose;
        depot.loose = o;
    }
    pthread_mutex_unlock(&depot.lock);
    free(m);
}

static void *slab_alloc(void) {
    struct magazine *m = my_magazine();
    union object *o = NULL;
    if (m->count > 0) {
        o = m->rounds[--m->count];
    } else {
        pthread_mutex_lock(&depot.lock);
        struct magazine *full = depot.full;
        if (full) {
            depot.full = full->next;
            o = full->rounds[--full->count];
            while (full->count > 0) m->rounds[m->count++] = full->rounds[--full->count];
        } else {
            o = depot_object();
        }
        depot.handed_out++;
        pthread_mutex_unlock(&depot.lock);
        free(full);
    }
    return o;
}

static void slab_free(void *pointer) {
    union object *o = pointer;
    memset(o, POISON, sizeof *o);
    struct magazine *m = my_magazine();
    if (m->count == MAGAZINE) {
        struct magazine *full = malloc(sizeof *full);
        *full = *m;
#ifdef BUG
        // The depot is shared, and its lock is not taken.
        full->next = depot.full;
        depot.full = full;
#else
        pthread_mutex_lock(&depot.lock);
        full->next = depot.full;
        depot.full = full;
        pthread_mutex_unlock(&depot.lock);
#endif
        m->count = 0;
    }
    m->rounds[m->count++] = o;
}

/* An application: letters in mailboxes of one place */

struct letter {
    uint32_t number;
    uint8_t from, to;
    char text[20];
};

_Static_assert(sizeof(struct letter) <= sizeof(union object), "a letter fits an object");

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct letter *letter;
};

static struct mailbox boxes[2];

static void post(struct letter *l) {
    struct mailbox *box = &boxes[l->to];
    pthread_mutex_lock(&box->lock);
    while (box->letter) pthread_cond_wait(&box->changed, &box->lock);
    box->letter = l;
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->lock);
}

static struct letter *fetch(int owner) {
    struct mailbox *box = &boxes[owner];
    pthread_mutex_lock(&box->lock);
    while (!box->letter) pthread_cond_wait(&box->changed, &box->lock);
    struct letter *l = box->letter;
    box->letter = NULL;
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return l;
}

static struct letter *write_letter(int from, unsigned number) {
    struct letter *l = slab_alloc();
    if (!l) return NULL;
    l->number = number;
    l->from = (uint8_t)from;
    l->to = (uint8_t)(1 - from);
    snprintf(l->text, sizeof l->text, "%d to %d: #%u", from, 1 - from, number);
    return l;
}

static void read_letter(int me, unsigned number, const struct letter *l) {
    char expected[20];
    snprintf(expected, sizeof expected, "%d to %d: #%u", l->from, me, number);
    assert(l->number == number && l->to == me);
    assert(strcmp(expected, l->text) == 0);
}

static void *friend_run(void *argument) {
    const int me = (int)(intptr_t)argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct letter *draft = slab_alloc();
        struct letter *l = write_letter(me, i);
        memcpy(draft, l, sizeof *l);
        post(l);
        slab_free(draft);
        struct letter *answer = fetch(me);
        read_letter(me, i, answer);
        slab_free(answer);
    }
    return argument;
}

static unsigned count_everything(void) {
    unsigned count = 0;
    for (union object *o = depot.loose; o; o = o->next) count++;
    while (depot.full) {
        struct magazine *m = depot.full;
        depot.full = m->next;
        count += (unsigned)m->count;
        free(m);
    }
    while (depot.slabs) {
        struct slab *s = depot.slabs;
        depot.slabs = s->next;
        count += SLAB_OBJECTS - s->used;
        free(s);
    }
    return count;
}

int main(void) {
    pthread_t friends[2];
    pthread_key_create(&depot.key, give_magazine_back);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&boxes[i].lock, NULL);
        pthread_cond_init(&boxes[i].changed, NULL);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&friends[i], NULL, friend_run, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(friends[i], &result);
        assert((intptr_t)result == i);
        assert(!boxes[i].letter);
    }
    unsigned made = depot.slabs_made * SLAB_OBJECTS;
    unsigned back = count_everything();
    printf("%u objects made, %u back, %u handed out\n", made, back, depot.handed_out);
    assert(made == back);
    pthread_key_delete(depot.key);
    return 0;
}
