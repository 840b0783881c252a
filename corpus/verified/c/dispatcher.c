// Events and handlers with C11 threads: recursive mutexes, conditions, thread-specific storage,
// and a thread that leaves by `thrd_exit`.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=40
//~ source: executions=40
//~ optimal: executions=40
//~ observers: executions=40
//~ cs: executions=40
//~ optimal-cs: executions=40
//~ optimal-cs-observers: executions=40
//~ constrained: executions=40
//~ quasi:optimal: executions=40
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define HANDLERS 2
#define EVENTS 4

struct event { enum { KEY, TICK, QUIT } kind; union { char key; double seconds; } data; };
typedef int handler(void *context, const struct event *event);

struct subscription { handler *call; void *context; };

static struct dispatcher {
    mtx_t lock;
    cnd_t filled;
    struct event events[EVENTS];
    unsigned read, write;
    struct subscription handlers[HANDLERS];
    unsigned count;
} dispatcher;

static once_flag once = ONCE_FLAG_INIT;
static tss_t depth_key;
static atomic_int destroyed;

static void tss_destroyed(void *pointer)
{
    free(pointer);
    atomic_fetch_add(&destroyed, 1);
}

static void set_up(void)
{
    int result = mtx_init(&dispatcher.lock, mtx_plain | mtx_recursive);
    assert(result == thrd_success);
    result = cnd_init(&dispatcher.filled);
    assert(result == thrd_success);
    result = tss_create(&depth_key, tss_destroyed);
    assert(result == thrd_success);
}

static int *depth(void)
{
    int *depth = tss_get(depth_key);
    if (!depth) {
        depth = calloc(1, sizeof *depth);
        tss_set(depth_key, depth);
    }
    return depth;
}

static bool post(struct event event)
{
    call_once(&once, set_up);
    mtx_lock(&dispatcher.lock);
    bool room = dispatcher.write - dispatcher.read < EVENTS;
    if (room) {
        dispatcher.events[dispatcher.write++ % EVENTS] = event;
#ifdef BUG
        if (event.kind != QUIT)
#endif
        cnd_signal(&dispatcher.filled);
    }
    mtx_unlock(&dispatcher.lock);
    return room;
}

static void subscribe(handler *call, void *context)
{
    call_once(&once, set_up);
    mtx_lock(&dispatcher.lock);
    assert(dispatcher.count < HANDLERS);
    dispatcher.handlers[dispatcher.count++] = (struct subscription){ call, context };
    mtx_unlock(&dispatcher.lock);
}

static int loop(void *unused)
{
    (void)unused;
    call_once(&once, set_up);
    int handled = 0;
    for (;;) {
        mtx_lock(&dispatcher.lock);
        while (dispatcher.read == dispatcher.write)
            cnd_wait(&dispatcher.filled, &dispatcher.lock);
        struct event event = dispatcher.events[dispatcher.read++ % EVENTS];
        ++*depth();
        for (unsigned i = 0; i < dispatcher.count; i++)
            handled += dispatcher.handlers[i].call(dispatcher.handlers[i].context, &event);
        --*depth();
        mtx_unlock(&dispatcher.lock);
        if (event.kind == QUIT)
            thrd_exit(handled);
    }
}

static int on_key(void *context, const struct event *event)
{
    if (event->kind != KEY)
        return 0;
    char *text = context;
    size_t length = strlen(text);
    text[length] = event->data.key;
    text[length + 1] = '\0';
    assert(*depth() == 1);
    return 1;
}

static int on_tick(void *context, const struct event *event)
{
    if (event->kind != TICK)
        return 0;
    *(double *)context += event->data.seconds;
    return 1;
}

static int typist(void *unused)
{
    (void)unused;
    post((struct event){ .kind = KEY, .data.key = 'x' });
    return 3;
}

int main(void)
{
    static char text[8];
    static double seconds;
    thrd_t dispatch, type;
    subscribe(on_key, text);
    subscribe(on_tick, &seconds);
    int error = thrd_create(&dispatch, loop, NULL);
    assert(error == thrd_success);
    thrd_create(&type, typist, NULL);
    post((struct event){ .kind = TICK, .data.seconds = 0.5 });
    thrd_yield();
    int result = 0, handled = 0;
    thrd_join(type, &result);
    assert(result == 3);
    post((struct event){ .kind = QUIT });
    thrd_join(dispatch, &handled);
    assert(handled == 2 && strcmp(text, "x") == 0 && seconds == 0.5);
    assert(atomic_load(&destroyed) == 1);
    mtx_destroy(&dispatcher.lock);
    cnd_destroy(&dispatcher.filled);
    return 0;
}
