// A compare-and-exchange that fails only reads, so it is in no data race with a plain read. Nobody
// makes it succeed.
// Count: 1.
//~ none: executions=3
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
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
    int expected = 2;
    pthread_create(&thread, NULL, looks, NULL);
    atomic_compare_exchange_strong(&x, &expected, 3);
    pthread_join(thread, NULL);
    return seen;
}
