// A broker: threads subscribe to topics, by patterns, with a function and data of their own, and
// others publish. Publishing takes a picture of the subscriptions under a read lock, counts a
// user of each, and calls them without the lock; so a subscription can be cancelled at any time,
// even out of its own function, and its data is freed when the last call has ended.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -D MESSAGES=2 -- !t/a @t/a @x
//~ skip: none
//~ dpor: executions=1113 blocked=630
//~ source: executions=1113 blocked=630
//~ optimal: executions=1113
//~ observers: executions=1113
//~ cs: executions=1113 blocked=630
//~ optimal-cs: executions=1113
//~ optimal-cs-observers: executions=1113
//~ constrained: executions=1113 blocked=630
//~ quasi:optimal: executions=1113
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MESSAGES
#define MESSAGES 1
#endif
#define TOPIC 12

struct message {
    char topic[TOPIC];
    unsigned short sequence;
    bool urgent;
    double value;
};

struct subscription;

typedef void (*receiver)(struct subscription *s, struct message m);

struct subscription {
    char pattern[TOPIC];
    receiver receive;
    void *data;
    void (*destroy)(void *data);
    atomic_int users;
    atomic_bool cancelled;
    struct subscription *next;
};

static struct broker {
    pthread_rwlock_t lock;
    struct subscription *subscriptions;
    size_t count;
    atomic_uint published, delivered;
} broker = { .lock = PTHREAD_RWLOCK_INITIALIZER };

/* Subscriptions */

static void subscription_put(struct subscription *s) {
    if (atomic_fetch_sub(&s->users, 1) != 1) return;
    if (s->destroy) s->destroy(s->data);
    free(s);
}

static struct subscription *subscribe(const char *pattern, receiver receive, void *data,
                                      void (*destroy)(void *)) {
    struct subscription *s = malloc(sizeof *s);
    if (!s) return NULL;
    snprintf(s->pattern, sizeof s->pattern, "%s", pattern);
    s->receive = receive;
    s->data = data;
    s->destroy = destroy;
    atomic_init(&s->users, 2); // the broker, and who subscribed
    atomic_init(&s->cancelled, false);
    pthread_rwlock_wrlock(&broker.lock);
    s->next = broker.subscriptions;
    broker.subscriptions = s;
    broker.count++;
    pthread_rwlock_unlock(&broker.lock);
    return s;
}

static bool unsubscribe(struct subscription *s) {
    if (atomic_exchange(&s->cancelled, true)) return false;
    pthread_rwlock_wrlock(&broker.lock);
    struct subscription **at = &broker.subscriptions;
    while (*at && *at != s) at = &(*at)->next;
    assert(*at == s);
    *at = s->next;
    broker.count--;
    pthread_rwlock_unlock(&broker.lock);
    subscription_put(s);
    return true;
}

static bool matches(const char *pattern, const char *topic) {
    size_t n = strlen(pattern);
    if (n > 0 && pattern[n - 1] == '*') return strncmp(pattern, topic, n - 1) == 0;
    return strcmp(pattern, topic) == 0;
}

/* Publishing */

struct picture {
    size_t count, room;
    struct subscription **all;
};

static void picture_add(struct picture *p, struct subscription *s) {
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 1;
        p->all = realloc(p->all, p->room * sizeof *p->all);
    }
    p->all[p->count++] = s;
}

static unsigned publish(const struct message *m) {
    struct picture picture = { 0 };
    pthread_rwlock_rdlock(&broker.lock);
    for (struct subscription *s = broker.subscriptions; s; s = s->next)
        if (matches(s->pattern, m->topic)) {
#ifndef BUG
            atomic_fetch_add(&s->users, 1);
#endif
            picture_add(&picture, s);
        }
    pthread_rwlock_unlock(&broker.lock);
    unsigned delivered = 0;
    for (size_t i = 0; i < picture.count; i++) {
        struct subscription *s = picture.all[i];
        if (!atomic_load(&s->cancelled)) {
            s->receive(s, *m);
            delivered++;
        }
#ifndef BUG
        subscription_put(s);
#endif
    }
    free(picture.all);
    atomic_fetch_add_explicit(&broker.published, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&broker.delivered, delivered, memory_order_relaxed);
    return delivered;
}

/* An application: a gauge keeps the last value, a journal keeps lines, an alarm rings once */

struct gauge {
    pthread_mutex_t lock;
    double last;
    int updates;
};

static void gauge_receive(struct subscription *s, struct message m) {
    struct gauge *g = s->data;
    pthread_mutex_lock(&g->lock);
    g->last = m.value;
    g->updates++;
    pthread_mutex_unlock(&g->lock);
}

static void gauge_destroy(void *data) {
    struct gauge *g = data;
    pthread_mutex_destroy(&g->lock);
    free(g);
}

struct journal {
    pthread_mutex_t lock;
    char text[128];
    size_t used;
};

static void journal_write(struct journal *j, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&j->lock);
    size_t room = sizeof j->text - j->used;
    int n = vsnprintf(j->text + j->used, room, format, arguments);
    if (n > 0) j->used += (size_t)n < room ? (size_t)n : room - 1;
    pthread_mutex_unlock(&j->lock);
    va_end(arguments);
}

static void journal_receive(struct subscription *s, struct message m) {
    journal_write(s->data, "%s#%hu=%.1f%s ", m.topic, m.sequence, m.value, m.urgent ? "!" : "");
}

static atomic_int rings;

static void alarm_receive(struct subscription *s, struct message m) {
    if (!m.urgent) return;
    if (unsubscribe(s)) atomic_fetch_add(&rings, 1);
}

static void *sensor(void *argument) {
    const char *topic = argument;
    struct message m = { .urgent = topic[0] == '!' };
    if (m.urgent) topic++;
    snprintf(m.topic, sizeof m.topic, "%s", topic);
    for (int i = 0; i < MESSAGES; i++) {
        m.sequence = (unsigned short)(i + 1);
        m.value = 20.0 + i;
        publish(&m);
    }
    return NULL;
}

static void *visitor(void *argument) {
    struct gauge *g = calloc(1, sizeof *g);
    pthread_mutex_init(&g->lock, NULL);
    struct subscription *s = subscribe(argument, gauge_receive, g, gauge_destroy);
    if (!s) {
        gauge_destroy(g);
        return NULL;
    }
    pthread_mutex_lock(&g->lock);
    assert(g->updates == 0 || g->last >= 20.0);
    pthread_mutex_unlock(&g->lock);
    unsubscribe(s);
    subscription_put(s);
    return NULL;
}

int main(int argc, char **argv) {
    struct journal journal = { .used = 0 };
    pthread_mutex_init(&journal.lock, NULL);
    struct subscription *journal_entry = subscribe("t/*", journal_receive, &journal, NULL);
    struct subscription *alarm_entry = subscribe("*", alarm_receive, NULL, NULL);
    pthread_t threads[8];
    int count = 0, sensors = 0, urgent = 0;
    for (int i = 1; i < argc && count < 8; i++) {
        bool visits = argv[i][0] == '@';
        sensors += !visits;
        urgent += argv[i][0] == '!';
        void *data = visits ? argv[i] + 1 : argv[i];
        if (pthread_create(&threads[count], NULL, visits ? visitor : sensor, data) == 0) count++;
    }
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    assert(atomic_load(&rings) == (urgent > 0));
    unsubscribe(alarm_entry);
    unsubscribe(journal_entry);
    subscription_put(alarm_entry);
    subscription_put(journal_entry);
    assert(!broker.subscriptions && broker.count == 0);
    assert(atomic_load(&broker.published) == (unsigned)(sensors * MESSAGES));
    printf("%u delivered: %s\n", atomic_load(&broker.delivered), journal.text);
    pthread_mutex_destroy(&journal.lock);
    return 0;
}
