// A bank: accounts with a mutex each, transfers that take both in the order of their numbers, an
// audit log of text in a ring of buffers, an auditor that takes all accounts to add up, and
// fees that are collected by a thread which the teller starts. A key tells each thread's teller,
// and a handler of atexit looks at the books.
// Count: 2 orders of the first use of the key, 24 of the transfers, of which each two have an
// account in common, 24 of the lines of the log: 1152.
//~ flags: --leaks -D ACCOUNTS=3 -- 1>2:30! 2>1:90!
//~ skip: none
//~ dpor: executions=1152 blocked=38
//~ source: executions=1152 blocked=38
//~ optimal: executions=1152
//~ observers: executions=1152
//~ cs: executions=1152 blocked=38
//~ optimal-cs: executions=1152
//~ optimal-cs-observers: executions=1152
//~ constrained: executions=1152 blocked=38
//~ quasi:optimal: executions=1152
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ACCOUNTS
#define ACCOUNTS 2
#endif
#define LINES 4
#define LINE 48

struct account {
    int number;
    char owner[8];
    long balance;
    unsigned moves;
    pthread_mutex_t lock;
};

struct transfer {
    short from, to;
    long amount;
    char reason[12];
};

struct teller {
    char name[8];
    const char *orders;
    pthread_t thread;
    int done, refused;
};

static struct account accounts[ACCOUNTS];
static const long opening = 100;

static struct {
    pthread_mutex_t lock;
    char lines[LINES][LINE];
    unsigned written;
} audit_log = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_key_t teller_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void make_key(void) {
    int error = pthread_key_create(&teller_key, NULL);
    assert(error == 0);
    (void)error;
}

/* The log */

static void log_line(const char *verb, const struct transfer *t, long left) {
    const struct teller *me = pthread_getspecific(teller_key);
    char line[LINE];
    int n = snprintf(line, sizeof line, "%s: %s %ld %d->%d (%s), %ld left", me ? me->name : "main",
                     verb, t->amount, t->from, t->to, t->reason, left);
    assert(n > 0);
    if ((size_t)n >= sizeof line) memcpy(line + sizeof line - 4, "...", 4);
    pthread_mutex_lock(&audit_log.lock);
    memcpy(audit_log.lines[audit_log.written++ % LINES], line, sizeof line);
    pthread_mutex_unlock(&audit_log.lock);
}

/* Accounts */

static void lock_both(struct account *a, struct account *b) {
#ifdef BUG
    // In the order in which they were given.
    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock);
#else
    struct account *first = a->number < b->number ? a : b;
    struct account *second = first == a ? b : a;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
#endif
}

static void unlock_both(struct account *a, struct account *b) {
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_unlock(&b->lock);
}

static struct account *account_of(int number) {
    return number >= 0 && number < ACCOUNTS ? &accounts[number] : NULL;
}

static int transfer(const struct transfer *t) {
    struct account *from = account_of(t->from), *to = account_of(t->to);
    if (!from || !to) return ENOENT;
    if (from == to || t->amount <= 0) return EINVAL;
    lock_both(from, to);
    if (from->balance < t->amount) {
        long left = from->balance;
        unlock_both(from, to);
        log_line("refused", t, left);
        return ERANGE;
    }
    from->balance -= t->amount;
    to->balance += t->amount;
    from->moves++;
    to->moves++;
    long left = from->balance;
    unlock_both(from, to);
    log_line("moved", t, left);
    return 0;
}

static long total(unsigned *moves) {
    long sum = 0;
    *moves = 0;
    for (int i = 0; i < ACCOUNTS; i++) pthread_mutex_lock(&accounts[i].lock);
    for (int i = 0; i < ACCOUNTS; i++) {
        sum += accounts[i].balance;
        *moves += accounts[i].moves;
    }
    for (int i = ACCOUNTS - 1; i >= 0; i--) pthread_mutex_unlock(&accounts[i].lock);
    return sum;
}

/* Orders: "0>1:30" moves 30 from 0 to 1, "=" adds up */

static const char *parse(const char *text, struct transfer *out) {
    char *end;
    memset(out, 0, sizeof *out);
    out->from = (short)strtol(text, &end, 10);
    if (*end != '>') return NULL;
    out->to = (short)strtol(end + 1, &end, 10);
    if (*end != ':') return NULL;
    out->amount = strtol(end + 1, &end, 10);
    strncpy(out->reason, *end == '!' ? "fee" : "order", sizeof out->reason - 1);
    return end;
}

static void *collect_fee(void *argument) {
    struct transfer t = *(struct transfer *)argument;
    free(argument);
    t.amount = 1;
    t.to = 0;
    int error = transfer(&t);
    return error == 0 ? NULL : strdup(strerror(error));
}

static bool with_fee(const struct transfer *t) {
    struct transfer *copy = malloc(sizeof *copy);
    if (!copy) return false;
    *copy = *t;
    pthread_t collector;
    if (pthread_create(&collector, NULL, collect_fee, copy) != 0) {
        free(copy);
        return false;
    }
    int error = transfer(t);
    void *complaint = NULL;
    pthread_join(collector, &complaint);
    free(complaint);
    return error == 0;
}

static void *teller_run(void *argument) {
    struct teller *me = argument;
    pthread_once(&key_once, make_key);
    pthread_setspecific(teller_key, me);
    const char *at = me->orders;
    while (*at) {
        if (*at == '=') {
            unsigned moves;
            long sum = total(&moves);
            assert(sum == opening * ACCOUNTS && moves % 2 == 0);
            at++;
            continue;
        }
        struct transfer t;
        at = parse(at, &t);
        if (!at) {
            me->refused++;
            return NULL;
        }
        bool fine = *at == '!' ? with_fee(&t) : transfer(&t) == 0;
        if (fine) me->done++;
        else me->refused++;
        while (*at == '!' || *at == ',') at++;
    }
    return me;
}

static void closing(void) {
    unsigned moves;
    long sum = total(&moves);
    printf("%ld in %d accounts after %u moves\n", sum, ACCOUNTS, moves);
    assert(sum == opening * ACCOUNTS);
    for (unsigned i = 0; i < audit_log.written && i < LINES; i++) puts(audit_log.lines[i]);
    for (int i = 0; i < ACCOUNTS; i++) pthread_mutex_destroy(&accounts[i].lock);
}

int main(int argc, char **argv) {
    static const char *const owners[] = { "bank", "ann", "bob", "eve" };
    for (int i = 0; i < ACCOUNTS; i++) {
        struct account fresh = { .number = i, .balance = opening };
        strcpy(fresh.owner, owners[i % 4]);
        accounts[i] = fresh;
        pthread_mutex_init(&accounts[i].lock, NULL);
    }
    if (atexit(closing) != 0) return 1;
    struct teller *tellers = calloc((size_t)argc, sizeof *tellers);
    for (int i = 1; i < argc; i++) {
        struct teller *t = &tellers[i];
        snprintf(t->name, sizeof t->name, "t%d", i);
        t->orders = argv[i];
        pthread_create(&t->thread, NULL, teller_run, t);
    }
    int done = 0;
    for (int i = 1; i < argc; i++) {
        void *result;
        pthread_join(tellers[i].thread, &result);
        assert(result == NULL || result == &tellers[i]);
        done += tellers[i].done;
    }
    free(tellers);
    exit(done > 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
