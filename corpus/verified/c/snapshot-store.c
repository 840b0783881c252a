// A store of settings that is copied on write: a version never changes once it is published, and
// counts its users. Readers take the current version under a read lock and go on without any;
// writers make a copy with one change under a mutex of writers, and publish it under the write
// lock. A reader's view is always one that some writer has left, with a checksum to tell.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -- a=1,a=2 ?? b=x ?
//~ skip: none
//~ dpor: executions=1503 blocked=307
//~ source: executions=1503 blocked=257
//~ optimal: executions=1503
//~ observers: executions=1503
//~ cs: executions=1503 blocked=257
//~ optimal-cs: executions=1503
//~ optimal-cs-observers: executions=1503
//~ constrained: executions=1503 blocked=257
//~ quasi:optimal: executions=1503
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME 8
#define VALUE 12

struct setting {
    char name[NAME];
    uint8_t type;
    union {
        char text[VALUE];
        int32_t number;
        double ratio;
    } value;
};

struct version {
    atomic_int users;
    unsigned number;
    unsigned checksum;
    size_t count;
    struct setting settings[];
};

struct store {
    pthread_rwlock_t lock;      // of `current`
    pthread_mutex_t writers;    // one change at a time
    struct version *current;
    unsigned published;
};

enum type { TEXT = 't', NUMBER = 'n', RATIO = 'r' };

/* Versions */

static unsigned checksum_of(const struct version *v) {
    unsigned sum = v->number;
    for (size_t i = 0; i < v->count; i++) {
        const struct setting *s = &v->settings[i];
        for (const char *p = s->name; *p; p++) sum = sum * 31 + (unsigned char)*p;
        switch (s->type) {
        case TEXT:
            for (const char *p = s->value.text; *p; p++) sum = sum * 31 + (unsigned char)*p;
            break;
        case NUMBER: sum = sum * 31 + (unsigned)s->value.number; break;
        case RATIO: sum = sum * 31 + (unsigned)(s->value.ratio * 100.0); break;
        }
    }
    return sum;
}

static struct version *version_new(size_t count) {
    struct version *v = calloc(1, sizeof *v + count * sizeof v->settings[0]);
    if (!v) return NULL;
    atomic_init(&v->users, 1);
    v->count = count;
    return v;
}

static void version_release(struct version *v) {
    if (atomic_fetch_sub(&v->users, 1) == 1) free(v);
}

static struct version *version_copy(const struct version *old, size_t more) {
    struct version *v = version_new(old->count + more);
    if (!v) return NULL;
    memcpy(v->settings, old->settings, old->count * sizeof old->settings[0]);
    v->number = old->number + 1;
    return v;
}

static struct setting *version_find(struct version *v, const char *name) {
    for (size_t i = 0; i < v->count; i++)
        if (strncmp(v->settings[i].name, name, NAME) == 0) return &v->settings[i];
    return NULL;
}

/* The store */

static int store_init(struct store *s) {
    if (pthread_rwlock_init(&s->lock, NULL) != 0) return -1;
    pthread_mutex_init(&s->writers, NULL);
    s->published = 0;
    s->current = version_new(0);
    if (!s->current) return -1;
    s->current->checksum = checksum_of(s->current);
    return 0;
}

static struct version *store_snapshot(struct store *s) {
#ifdef BUG
    // The version can be replaced and freed before its user is counted.
    pthread_rwlock_rdlock(&s->lock);
    struct version *v = s->current;
    pthread_rwlock_unlock(&s->lock);
    atomic_fetch_add(&v->users, 1);
#else
    pthread_rwlock_rdlock(&s->lock);
    struct version *v = s->current;
    atomic_fetch_add(&v->users, 1);
    pthread_rwlock_unlock(&s->lock);
#endif
    return v;
}

static bool parse_setting(const char *text, struct setting *out) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= NAME) return false;
    memset(out, 0, sizeof *out);
    memcpy(out->name, text, (size_t)(equals - text));
    const char *value = equals + 1;
    char *end;
    long number = strtol(value, &end, 10);
    if (*value && !*end) {
        out->type = NUMBER;
        out->value.number = (int32_t)number;
    } else if (*value && *end == '.') {
        out->type = RATIO;
        out->value.ratio = strtod(value, NULL);
    } else {
        out->type = TEXT;
        snprintf(out->value.text, VALUE, "%s", value);
    }
    return true;
}

static bool store_set(struct store *s, const char *text) {
    struct setting change;
    if (!parse_setting(text, &change)) return false;
    pthread_mutex_lock(&s->writers);
    struct version *old = s->current; // only writers replace it
    bool fresh = version_find(old, change.name) == NULL;
    struct version *next = version_copy(old, fresh ? 1 : 0);
    if (!next) {
        pthread_mutex_unlock(&s->writers);
        return false;
    }
    struct setting *place =
        fresh ? &next->settings[next->count - 1] : version_find(next, change.name);
    *place = change;
    next->checksum = checksum_of(next);
    pthread_rwlock_wrlock(&s->lock);
    s->current = next;
    s->published++;
    pthread_rwlock_unlock(&s->lock);
    pthread_mutex_unlock(&s->writers);
    version_release(old);
    return true;
}

static void store_destroy(struct store *s) {
    assert(atomic_load(&s->current->users) == 1);
    version_release(s->current);
    pthread_mutex_destroy(&s->writers);
    pthread_rwlock_destroy(&s->lock);
}

/* An application: writers apply changes, readers look twice and see time go forwards */

struct client {
    struct store *store;
    const char *line;
    pthread_t thread;
    union {
        int refused;
        unsigned newest;
    } result;
};

static void *writer(void *argument) {
    struct client *me = argument;
    me->result.refused = 0;
    char *copy = strdup(me->line), *rest = NULL;
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!store_set(me->store, word)) me->result.refused++;
    free(copy);
    return NULL;
}

static void print_setting(const struct setting *s, char *out, size_t size) {
    switch (s->type) {
    case TEXT: snprintf(out, size, "%s=%s", s->name, s->value.text); break;
    case NUMBER: snprintf(out, size, "%s=%d", s->name, s->value.number); break;
    case RATIO: snprintf(out, size, "%s=%.2f", s->name, s->value.ratio); break;
    default: assert(!"type");
    }
}

static void *reader(void *argument) {
    struct client *me = argument;
    unsigned last = 0;
    for (const char *p = me->line; *p == '?'; p++) {
        struct version *v = store_snapshot(me->store);
        assert(v->checksum == checksum_of(v));
        assert(v->number >= last);
        last = v->number;
        for (size_t i = 0; i < v->count; i++) {
            char line[NAME + VALUE + 16];
            print_setting(&v->settings[i], line, sizeof line);
            assert(strchr(line, '='));
        }
        version_release(v);
    }
    me->result.newest = last;
    return NULL;
}

int main(int argc, char **argv) {
    struct store store;
    if (argc < 2 || store_init(&store) != 0) return 2;
    const int count = argc - 1;
    struct client *clients = calloc((size_t)count, sizeof *clients);
    unsigned changes = 0;
    for (int i = 0; i < count; i++) {
        const char *line = argv[i + 1];
        clients[i].store = &store;
        clients[i].line = line;
        bool reads = line[0] == '?';
        if (!reads) {
            changes++;
            for (const char *p = line; *p; p++) changes += *p == ',';
        }
        pthread_create(&clients[i].thread, NULL, reads ? reader : writer, &clients[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(clients[i].thread, NULL);
        if (clients[i].line[0] != '?') changes -= (unsigned)clients[i].result.refused;
    }
    for (int i = 0; i < count; i++)
        if (clients[i].line[0] == '?') assert(clients[i].result.newest <= store.published);
    assert(store.published == changes && store.current->number == changes);
    printf("%u versions, %zu settings\n", store.published, store.current->count);
    free(clients);
    store_destroy(&store);
    return 0;
}
