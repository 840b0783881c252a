// Two additions synchronise in one order only: if b's comes first, nothing orders a's write before b's read. Where such
// additions were taken to commute, the data race was found only if the exploration happened to begin with that order.
//~ none: executions=16
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: data-race in a#1 at 23:10
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count, flag;
static int data;

static void *a(void *argument)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_fetch_add(&count, 1);
    return argument;
}

static void *b(void *argument)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
        atomic_fetch_add(&count, 1);
        int seen = data;
        (void)seen;
    }
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, a, NULL);
    pthread_create(&other, NULL, b, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
