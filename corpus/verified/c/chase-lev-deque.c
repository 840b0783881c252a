// A deque from whose bottom the owner takes and from whose top a thief steals; they meet at the last item only.
// From: Chase and Lev, Dynamic circular work-stealing deque, 2005. No circle here: the items fit.
//~ skip: none
//~ dpor: executions=17
//~ source: executions=17
//~ optimal: executions=17
//~ observers: executions=17
//~ cs: executions=17
//~ optimal-cs: executions=17
//~ optimal-cs-observers: executions=17
//~ constrained: executions=17
//~ quasi:optimal: executions=17
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define EMPTY 0

static atomic_int top, bottom, items[4];
static int stolen;

static void push(int item)
{
    int b = bottom;
    items[b] = item;
    bottom = b + 1;
}

static int take(void)
{
    int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t > b) {
        bottom = b + 1;
        return EMPTY;
    }
    int item = items[b];
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            item = EMPTY;
        bottom = b + 1;
    }
    return item;
}

static int steal(void)
{
    int t = top, b = bottom;
    if (t >= b)
        return EMPTY;
    int item = items[t];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : EMPTY;
}

static void *thief(void *unused)
{
    (void)unused;
    stolen = steal();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, thief, NULL);
    push(1);
    push(2);
    int first = take(), second = take();
    pthread_join(thread, NULL);
    assert(first + second + stolen == 3);
    return 0;
}
