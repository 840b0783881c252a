// An event loop with timers and a worker: handlers run in the thread of the loop, one at a time;
// other threads post events, and work that takes long goes to a detached worker that is started
// for it and posts its result back. Timers run by a clock that the loop turns on by itself when
// there is nothing else to do. The loop ends when nothing is left and nobody can post any more.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -D TICKS=4 -- ab
//~ skip: none
//~ dpor: executions=228
//~ source: executions=228
//~ optimal: executions=228
//~ observers: executions=228
//~ cs: executions=228
//~ optimal-cs: executions=228
//~ optimal-cs-observers: executions=228
//~ constrained: executions=228
//~ quasi:optimal: executions=228
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TICKS
#define TICKS 1
#endif
#define LOG_SIZE 256

struct loop;

typedef void (*callback)(struct loop *loop, void *data);

struct event {
    callback run;
    void *data;
    struct event *next;
};

struct timer {
    unsigned due, period, repeats;
    callback run;
    void *data;
    struct timer *next;
};

struct loop {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct event *first, **last;
    int pending;            // promises of other threads to post
    struct timer *timers;   // the loop's own, by time
    unsigned now;
    char log[LOG_SIZE];
    size_t used;
};

/* Only the thread of the loop writes the log. */
static void note(struct loop *l, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(l->log + l->used, LOG_SIZE - l->used, format, arguments);
    va_end(arguments);
    if (n > 0 && l->used + (size_t)n < LOG_SIZE) l->used += (size_t)n;
}

/* The loop, from any thread */

static void loop_init(struct loop *l) {
    memset(l, 0, sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, NULL);
    l->last = &l->first;
}

static void loop_promise(struct loop *l) {
    pthread_mutex_lock(&l->lock);
    l->pending++;
    pthread_mutex_unlock(&l->lock);
}

/* Posts an event; `kept` says that this was promised before. */
static void loop_post(struct loop *l, callback run, void *data, bool kept) {
    struct event *e = malloc(sizeof *e);
    *e = (struct event){ .run = run, .data = data, .next = NULL };
    pthread_mutex_lock(&l->lock);
    *l->last = e;
    l->last = &e->next;
    if (kept) l->pending--;
#ifdef BUG
    // The loop may already wait: nobody tells it.
    if (!kept) pthread_cond_signal(&l->wake);
#else
    pthread_cond_signal(&l->wake);
#endif
    pthread_mutex_unlock(&l->lock);
}

/* The loop, from its own thread */

static void loop_insert(struct loop *l, struct timer *t) {
    struct timer **at = &l->timers;
    while (*at && (*at)->due <= t->due) at = &(*at)->next;
    t->next = *at;
    *at = t;
}

static void loop_after(struct loop *l, unsigned delay, unsigned repeats, callback run, void *data) {
    struct timer *t = malloc(sizeof *t);
    t->due = l->now + delay;
    t->period = delay;
    t->repeats = repeats;
    t->run = run;
    t->data = data;
    loop_insert(l, t);
}

static bool loop_timer(struct loop *l) {
    struct timer *t = l->timers;
    if (!t) return false;
    l->timers = t->next;
    l->now = t->due;
    t->run(l, t->data);
    if (t->repeats-- > 1) {
        t->due += t->period;
        loop_insert(l, t);
    } else {
        free(t);
    }
    return true;
}

static struct event *loop_next(struct loop *l, bool wait) {
    pthread_mutex_lock(&l->lock);
    while (wait && !l->first && l->pending > 0) pthread_cond_wait(&l->wake, &l->lock);
    struct event *e = l->first;
    if (e) {
        l->first = e->next;
        if (!l->first) l->last = &l->first;
    }
    pthread_mutex_unlock(&l->lock);
    return e;
}

static void loop_run(struct loop *l) {
    for (;;) {
        struct event *e = loop_next(l, l->timers == NULL);
        if (e) {
            e->run(l, e->data);
            free(e);
        } else if (!loop_timer(l)) {
            return;
        }
    }
}

static void loop_destroy(struct loop *l) {
    assert(!l->first && !l->timers && l->pending == 0);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
}

/* Work for a thread of its own */

struct work {
    struct loop *loop;
    long (*compute)(const char *input);
    char input[16];
    long output;
    callback done;
};

static void *work_run(void *argument) {
    struct work *w = argument;
    w->output = w->compute(w->input);
    loop_post(w->loop, w->done, w, true); // from here on, it is the loop's
    return NULL;
}

static void work_start(struct loop *l, long (*compute)(const char *), const char *input,
                       callback done) {
    struct work *w = calloc(1, sizeof *w);
    w->loop = l;
    w->compute = compute;
    w->done = done;
    strncpy(w->input, input, sizeof w->input - 1);
    loop_promise(l);
    pthread_t thread;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &detached, work_run, w);
    pthread_attr_destroy(&detached);
}

/* An application: requests come from a client's thread, and are answered by workers */

static int requests, answers, ticks;

static long letters(const char *input) {
    long sum = 0;
    for (; *input; input++) sum += *input - 'a' + 1;
    return sum;
}

static long backwards(const char *input) {
    long n = 0;
    for (size_t i = strlen(input); i > 0; i--) n = n * 10 + (input[i - 1] - '0');
    return n;
}

static void on_answer(struct loop *l, void *data) {
    struct work *w = data;
    answers++;
    note(l, "%s=%ld;", w->input, w->output);
    free(w);
}

static void on_request(struct loop *l, void *data) {
    const char *text = data;
    requests++;
    note(l, "?%s;", text);
    bool digits = strspn(text, "0123456789") == strlen(text);
    work_start(l, digits ? backwards : letters, text, on_answer);
}

static void on_tick(struct loop *l, void *data) {
    (void)data;
    ticks++;
    note(l, "tick %u;", l->now);
}

struct client {
    struct loop *loop;
    int count;
    char **words;
};

static void on_bye(struct loop *l, void *data) {
    struct client *c = data;
    note(l, "bye %d;", c->count);
    free(c);
}

static void *client_run(void *argument) {
    struct client *c = argument;
    for (int i = 0; i < c->count; i++) loop_post(c->loop, on_request, c->words[i], false);
    loop_post(c->loop, on_bye, c, true);
    return NULL;
}

int main(int argc, char **argv) {
    struct loop loop;
    loop_init(&loop);
    loop_after(&loop, 5, TICKS, on_tick, NULL);
    struct client *c = malloc(sizeof *c);
    *c = (struct client){ &loop, argc - 1, argv + 1 };
    loop_promise(&loop);
    pthread_t client;
    pthread_create(&client, NULL, client_run, c);
    loop_run(&loop);
    pthread_join(client, NULL);
    loop_destroy(&loop);
    printf("%s\n", loop.log);
    assert(requests == argc - 1 && answers == requests && ticks == TICKS);
    assert(strstr(loop.log, "bye"));
    return 0;
}
