// A pool of workers that runs tasks and gives a future for each: futures count their users, can be
// waited for, cancelled as long as the task has not begun, and tasks submit further tasks. The
// last user of a future frees it and its result, which the task allocated.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -- s3 c
//~ skip: none
//~ dpor: executions=1930 blocked=42
//~ source: executions=1930 blocked=42
//~ optimal: executions=1930
//~ observers: executions=1930
//~ cs: executions=1930 blocked=42
//~ optimal-cs: executions=1930
//~ optimal-cs-observers: executions=1930
//~ constrained: executions=1930 blocked=42
//~ quasi:optimal: executions=1930
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#define QUEUE_LIMIT 4

enum state { PENDING, RUNNING, DONE, CANCELLED };

static const char *const state_names[] = { "pending", "running", "done", "cancelled" };

struct result {
    int value;
    char text[24];
};

struct future {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum state state;
    int users;
    struct result *result;
};

struct pool;

typedef struct result *(*task_function)(struct pool *pool, void *argument);

struct task {
    task_function run;
    void *argument;
    void (*release)(void *);
    struct future *future;
    struct task *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    struct task *head, *tail;
    int length;
    bool closing;
    pthread_t workers[WORKERS];
    int started;
    struct {
        short ran, skipped;
        long total;
    } statistics;
};

/* Futures */

static struct future *future_new(void) {
    struct future *f = malloc(sizeof *f);
    if (!f) return NULL;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    f->state = PENDING;
    f->users = 2; // who submits, and the pool
    f->result = NULL;
    return f;
}

static void future_release(struct future *f) {
    pthread_mutex_lock(&f->lock);
    bool last = --f->users == 0;
#ifdef BUG
    // The mutex is given back after somebody else can have freed it.
    if (!last) {
        pthread_mutex_unlock(&f->lock);
        if (f->state == CANCELLED) return;
        return;
    }
    pthread_mutex_unlock(&f->lock);
#else
    pthread_mutex_unlock(&f->lock);
    if (!last) return;
#endif
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->changed);
    free(f->result);
    free(f);
}

static bool future_begin(struct future *f) {
    bool begun = false;
    pthread_mutex_lock(&f->lock);
    if (f->state == PENDING) {
        f->state = RUNNING;
        begun = true;
    }
    pthread_mutex_unlock(&f->lock);
    return begun;
}

static void future_complete(struct future *f, struct result *result) {
    pthread_mutex_lock(&f->lock);
    assert(f->state == RUNNING);
    f->state = DONE;
    f->result = result;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static bool future_cancel(struct future *f) {
    pthread_mutex_lock(&f->lock);
    bool cancelled = f->state == PENDING;
    if (cancelled) {
        f->state = CANCELLED;
        pthread_cond_broadcast(&f->changed);
    }
    pthread_mutex_unlock(&f->lock);
    return cancelled;
}

/* Waits, and copies the result out; false where the task was cancelled. */
static bool future_get(struct future *f, struct result *out) {
    pthread_mutex_lock(&f->lock);
    while (f->state == PENDING || f->state == RUNNING) pthread_cond_wait(&f->changed, &f->lock);
    bool done = f->state == DONE;
    if (done && out) *out = *f->result;
    pthread_mutex_unlock(&f->lock);
    return done;
}

/* The pool */

static struct task *take(struct pool *p) {
    struct task *t = NULL;
    pthread_mutex_lock(&p->lock);
    while (!p->head && !p->closing) pthread_cond_wait(&p->not_empty, &p->lock);
    if (p->head) {
        t = p->head;
        p->head = t->next;
        if (!p->head) p->tail = NULL;
        p->length--;
    }
    pthread_mutex_unlock(&p->lock);
    return t;
}

static void run_task(struct pool *p, struct task *t) {
    bool begun = future_begin(t->future);
    if (begun) {
        struct result *r = t->run(p, t->argument);
        int value = r->value;
        future_complete(t->future, r);
        pthread_mutex_lock(&p->lock);
        p->statistics.ran++;
        p->statistics.total += value;
        pthread_mutex_unlock(&p->lock);
    } else {
        pthread_mutex_lock(&p->lock);
        p->statistics.skipped++;
        pthread_mutex_unlock(&p->lock);
    }
    if (t->release) t->release(t->argument);
    future_release(t->future);
    free(t);
}

static void *worker(void *argument) {
    struct pool *p = argument;
    struct task *t;
    while ((t = take(p))) run_task(p, t);
    return NULL;
}

static int pool_start(struct pool *p) {
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->not_empty, NULL);
    for (int i = 0; i < WORKERS; i++) {
        if (pthread_create(&p->workers[i], NULL, worker, p) != 0) return -1;
        p->started++;
    }
    return 0;
}

static struct future *pool_submit(struct pool *p, task_function run, void *argument,
                                  void (*release)(void *)) {
    struct task *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->run = run;
    t->argument = argument;
    t->release = release;
    t->future = future_new();
    struct future *f = t->future;
    pthread_mutex_lock(&p->lock);
    if (p->closing || p->length == QUEUE_LIMIT) {
        pthread_mutex_unlock(&p->lock);
        future_release(f);
        future_release(f);
        free(t);
        return NULL;
    }
    if (p->tail) p->tail->next = t;
    else p->head = t;
    p->tail = t;
    p->length++;
    pthread_cond_signal(&p->not_empty);
    pthread_mutex_unlock(&p->lock);
    return f;
}

static void pool_stop(struct pool *p) {
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->not_empty);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->started; i++) pthread_join(p->workers[i], NULL);
    assert(!p->head && p->length == 0);
    pthread_cond_destroy(&p->not_empty);
    pthread_mutex_destroy(&p->lock);
}

/* Tasks */

static struct result *square(struct pool *p, void *argument) {
    (void)p;
    int n = *(int *)argument;
    struct result *r = malloc(sizeof *r);
    r->value = n * n;
    snprintf(r->text, sizeof r->text, "%d^2=%d", n, r->value);
    return r;
}

static struct result *measure(struct pool *p, void *argument) {
    (void)p;
    const char *text = argument;
    struct result *r = malloc(sizeof *r);
    r->value = (int)strlen(text);
    snprintf(r->text, sizeof r->text, "|%s|=%d", text, r->value);
    return r;
}

/* Submits another task and lets it run by itself: nobody waits for it. */
static struct result *fork_off(struct pool *p, void *argument) {
    struct result *r = malloc(sizeof *r);
    r->value = 0;
    strcpy(r->text, "forked");
    char *text = strdup(argument);
    struct future *f = pool_submit(p, measure, text, free);
    if (f) future_release(f);
    else {
        free(text);
        strcpy(r->text, "refused");
    }
    return r;
}

static void report(const char *name, struct future *f) {
    struct result r = { 0, "" };
    bool done = future_get(f, &r);
    printf("%s: %s %s\n", name, state_names[done ? DONE : CANCELLED], done ? r.text : "-");
}

int main(int argc, char **argv) {
    struct pool pool;
    struct future *futures[8];
    int count = 0, cancelled = 0;
    if (pool_start(&pool) != 0) return 1;
    for (int i = 1; i < argc && count < 8; i++) {
        struct future *f = NULL;
        switch (argv[i][0]) {
        case 's': {
            int *n = malloc(sizeof *n);
            *n = atoi(argv[i] + 1);
            f = pool_submit(&pool, square, n, free);
            if (!f) free(n);
            break;
        }
        case 'm': f = pool_submit(&pool, measure, argv[i] + 1, NULL); break;
        case 'f': f = pool_submit(&pool, fork_off, argv[i] + 1, NULL); break;
        case 'c':
            if (count > 0 && future_cancel(futures[count - 1])) cancelled++;
            continue;
        default: fprintf(stderr, "unknown task %s\n", argv[i]); continue;
        }
        if (f) futures[count++] = f;
    }
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "task %d", i);
        report(name, futures[i]);
        future_release(futures[i]);
    }
    pool_stop(&pool);
    assert(pool.statistics.skipped == cancelled);
    assert(pool.statistics.ran >= count - cancelled);
    return 0;
}
