// A compare-and-exchange that succeeds writes, so it is in a data race with a plain read.
//~ none: executions=3
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: data-race in main at 31:5
//~ violation: exit-status in main at 33:5
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;
static int seen;

static void *looks(void *unused)
{
    seen = ((char *)&x)[0];
    return unused;
}

int main(void)
{
    pthread_t thread;
    int expected = 0;
    pthread_create(&thread, NULL, looks, NULL);
    atomic_compare_exchange_strong(&x, &expected, 3);
    pthread_join(thread, NULL);
    return seen;
}
