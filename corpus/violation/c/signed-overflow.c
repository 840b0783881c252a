// The sum of two numbers that fits no int, with --overflow; without it, it wraps around.
//~ flags: --overflow
//~ none: executions=2
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: overflow in main at 31:22
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int limit = 1;

static void *worker(void *unused)
{
    (void)unused;
    limit = INT_MAX;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int next = limit + 1;
    pthread_join(thread, NULL);
    return next == 0;
}
