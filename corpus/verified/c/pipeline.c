// A pipeline of stages with bounded queues between them: the source makes messages, stages change
// them or drop them, the sink adds up. Messages are on the heap and belong to who holds them. A
// poison pill travels through all stages and ends each; a stage of several threads hands the
// pill on only when its last thread has seen it.
// Count: in each queue, the first get, the second put and the second get wait or do not: 2 * 2 * 2;
// three queues: 512.
//~ flags: --leaks -- 1
//~ skip: none
//~ dpor: executions=512 blocked=32
//~ source: executions=512 blocked=32
//~ optimal: executions=512
//~ observers: executions=512
//~ cs: executions=512 blocked=32
//~ optimal-cs: executions=512
//~ optimal-cs-observers: executions=512
//~ constrained: executions=512 blocked=32
//~ quasi:optimal: executions=512
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WIDTH
#define WIDTH 1
#endif
#define CAPACITY 1
#define TEXT 16

enum kind { TEXT_MESSAGE, NUMBER_MESSAGE, POISON };

struct message {
    unsigned char kind;
    short hops;
    union {
        char text[TEXT];
        long number;
    } body;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    struct message *slots[CAPACITY];
    int first, count;
};

struct stage;

/* What a stage does with a message: the message to send on, or NULL where it keeps or drops it. */
typedef struct message *(*handler)(struct stage *stage, struct message *m);

struct stage {
    const char *name;
    handler handle;
    int width;
    struct queue *in, *out;
    pthread_mutex_t lock;
    int alive;
    pthread_t threads[WIDTH];
    long seen, dropped;
    void *own;
};

/* Queues */

static struct queue *queue_new(void) {
    struct queue *q = calloc(1, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    pthread_cond_init(&q->not_full, NULL);
    return q;
}

static void queue_free(struct queue *q) {
    assert(q->count == 0);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->not_empty);
    pthread_cond_destroy(&q->not_full);
    free(q);
}

static void queue_put(struct queue *q, struct message *m) {
    pthread_mutex_lock(&q->lock);
#ifdef BUG
    // The pill is to be put in front of the line, and takes a place that is not free.
    while (q->count == CAPACITY && m->kind != POISON)
        pthread_cond_wait(&q->not_full, &q->lock);
#else
    while (q->count == CAPACITY) pthread_cond_wait(&q->not_full, &q->lock);
#endif
    q->slots[(q->first + q->count) % CAPACITY] = m;
    q->count++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static struct message *queue_get(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0) pthread_cond_wait(&q->not_empty, &q->lock);
    struct message *m = q->slots[q->first];
    q->slots[q->first] = NULL;
    q->first = (q->first + 1) % CAPACITY;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return m;
}

/* Messages */

static struct message *message_text(const char *text) {
    struct message *m = calloc(1, sizeof *m);
    m->kind = TEXT_MESSAGE;
    snprintf(m->body.text, sizeof m->body.text, "%s", text);
    return m;
}

static struct message *message_poison(void) {
    struct message *m = calloc(1, sizeof *m);
    m->kind = POISON;
    return m;
}

/* Stages */

static void *stage_run(void *argument);

static void stage_start(struct stage *s) {
    pthread_mutex_init(&s->lock, NULL);
    s->alive = s->width;
    for (int i = 0; i < s->width; i++) pthread_create(&s->threads[i], NULL, stage_run, s);
}

static void stage_join(struct stage *s) {
    for (int i = 0; i < s->width; i++) pthread_join(s->threads[i], NULL);
    pthread_mutex_destroy(&s->lock);
}

/* True for the last thread of the stage that comes to an end. */
static bool stage_leaves(struct stage *s) {
    pthread_mutex_lock(&s->lock);
    bool last = --s->alive == 0;
    pthread_mutex_unlock(&s->lock);
    return last;
}

static void stage_ends(struct stage *s, struct message *poison) {
    if (!stage_leaves(s)) {
        queue_put(s->in, poison); // for the others of this stage
        return;
    }
    if (s->out) queue_put(s->out, poison);
    else free(poison);
}

static void *stage_run(void *argument) {
    struct stage *s = argument;
    long seen = 0, dropped = 0;
    for (;;) {
        struct message *m = queue_get(s->in);
        if (m->kind == POISON) {
            stage_ends(s, m);
            break;
        }
        seen++;
        m->hops++;
        struct message *next = s->handle(s, m);
        if (next && s->out) {
            queue_put(s->out, next);
        } else {
            dropped++;
        }
    }
    pthread_mutex_lock(&s->lock);
    s->seen += seen;
    s->dropped += dropped;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* What stages do */

static struct message *trim(struct stage *s, struct message *m) {
    (void)s;
    char *from = m->body.text, *to = m->body.text;
    while (isspace((unsigned char)*from)) from++;
    while (*from) *to++ = (char)tolower((unsigned char)*from++);
    *to = '\0';
    if (m->body.text[0] == '\0') {
        free(m);
        return NULL;
    }
    return m;
}

static struct message *parse(struct stage *s, struct message *m) {
    (void)s;
    char *end;
    long n = strtol(m->body.text, &end, 0);
    if (*end != '\0') {
        free(m);
        return NULL;
    }
    m->kind = NUMBER_MESSAGE;
    m->body.number = n;
    return m;
}

static struct message *add(struct stage *s, struct message *m) {
    long *sum = s->own;
    assert(m->kind == NUMBER_MESSAGE && m->hops == 3);
    *sum += m->body.number;
    free(m);
    return NULL;
}

static long expected_sum(int argc, char **argv) {
    long sum = 0;
    for (int i = 1; i < argc; i++) {
        char *end;
        long n = strtol(argv[i], &end, 0);
        if (*end == '\0') sum += n;
    }
    return sum;
}

int main(int argc, char **argv) {
    long sum = 0;
    struct stage stages[] = {
        { .name = "trim", .handle = trim, .width = 1 },
        { .name = "parse", .handle = parse, .width = WIDTH },
        { .name = "add", .handle = add, .width = 1, .own = &sum },
    };
    const int count = sizeof stages / sizeof *stages;
    for (int i = 0; i < count; i++) {
        stages[i].in = queue_new();
        if (i > 0) stages[i - 1].out = stages[i].in;
    }
    for (int i = count - 1; i >= 0; i--) stage_start(&stages[i]);
    for (int i = 1; i < argc; i++) queue_put(stages[0].in, message_text(argv[i]));
    queue_put(stages[0].in, message_poison());
    for (int i = 0; i < count; i++) stage_join(&stages[i]);
    for (int i = 0; i < count; i++) {
        printf("%-6s saw %ld, dropped %ld\n", stages[i].name, stages[i].seen, stages[i].dropped);
        queue_free(stages[i].in);
    }
    assert(stages[0].seen == argc - 1);
    assert(stages[2].seen == stages[1].seen - stages[1].dropped);
    assert(sum == expected_sum(argc, argv));
    return 0;
}
