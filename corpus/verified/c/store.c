// A key-value store of several files: a queue of commands that workers take, a table whose entries count their users, a log
// under a lock of its own. Commands are structures that are copied through the queue, text and numbers side by side:
// what looks like an address there is none.
// Count: as `source` and `quasi:1` count; brute force does not come to an end.
//~ files: parts/store/hash.c parts/store/log.c parts/store/queue.c
//~ flags: -I corpus/verified/c/parts/store -D FIXED -- 2 put:a=1 touch:a
//~ skip: none
#include "hash.h"
#include "log.h"
#include "queue.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct server {
    struct table table;
    struct cqueue queue;
    pthread_t *workers;
    int nworkers;
    long handled;
    pthread_mutex_t stats;
};

static void handle(struct server *s, const struct command *c) {
    long v = 0;
    switch (c->op) {
    case OP_PUT:
        table_put(&s->table, c->key, c->value);
        log_msg(LOG_INFO, "put %s = %ld", c->key, c->value);
        break;
    case OP_GET:
        if (table_get(&s->table, c->key, &v)) log_msg(LOG_INFO, "get %s = %ld", c->key, v);
        else log_msg(LOG_WARN, "get %s: not found", c->key);
        break;
    case OP_DEL:
        if (!table_del(&s->table, c->key)) log_msg(LOG_WARN, "del %s: not found", c->key);
        break;
    case OP_TOUCH: {
        struct entry *e = table_acquire(&s->table, c->key);
        if (e) {
            log_msg(LOG_DEBUG, "touch %s", e->key);
            table_release(&s->table, e);
        }
        break;
    }
    case OP_QUIT:
        break;
    }
    pthread_mutex_lock(&s->stats);
    s->handled++;
    pthread_mutex_unlock(&s->stats);
}

static void *worker(void *arg) {
    struct server *s = arg;
    struct command c;
    while (cq_pop(&s->queue, &c)) handle(s, &c);
    return NULL;
}

static void server_start(struct server *s, int n) {
    memset(s, 0, sizeof *s);
    table_init(&s->table);
    cq_init(&s->queue);
    pthread_mutex_init(&s->stats, NULL);
    s->nworkers = n;
    s->workers = calloc((size_t)n, sizeof *s->workers);
    for (int i = 0; i < n; i++) pthread_create(&s->workers[i], NULL, worker, s);
}

static void server_stop(struct server *s) {
    cq_close(&s->queue);
    for (int i = 0; i < s->nworkers; i++) pthread_join(s->workers[i], NULL);
    free(s->workers);
    cq_destroy(&s->queue);
    pthread_mutex_destroy(&s->stats);
}

static bool parse(const char *text, struct command *c) {
    memset(c, 0, sizeof *c);
    if (strncmp(text, "put:", 4) == 0) {
        const char *eq = strchr(text, '=');
        if (!eq || (size_t)(eq - text - 4) >= sizeof c->key) return false;
        memcpy(c->key, text + 4, (size_t)(eq - text - 4));
        c->value = atol(eq + 1);
        c->op = OP_PUT;
        return true;
    }
    static const struct { const char *name; enum op op; } ops[] = {
        { "get:", OP_GET }, { "del:", OP_DEL }, { "touch:", OP_TOUCH } };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        size_t n = strlen(ops[i].name);
        if (strncmp(text, ops[i].name, n) == 0) {
            strncpy(c->key, text + n, sizeof c->key - 1);
            c->op = ops[i].op;
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s WORKERS COMMAND...\n", argv[0]);
        return 2;
    }
    struct server s;
    int n = atoi(argv[1]), sent = 0;
    log_set_level(LOG_INFO);
    server_start(&s, n);
    for (int i = 2; i < argc; i++) {
        struct command c;
        if (!parse(argv[i], &c)) {
            log_msg(LOG_ERROR, "bad command: %s", argv[i]);
            continue;
        }
        if (cq_push(&s.queue, &c)) sent++;
    }
    server_stop(&s);
    printf("%ld commands, %zu entries, sum %ld\n", s.handled, table_size(&s.table), table_sum(&s.table));
    assert(s.handled == sent);
    table_destroy(&s.table);
    return 0;
}
