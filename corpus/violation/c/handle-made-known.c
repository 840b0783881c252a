// A thread makes its own handle known, and somebody else joins it: main comes second, or first.
// Count: 3. The other thread looks too early, or joins before main or after it.
//~ none: executions=15
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: misuse in joins#2 at 31:9
//~ violation: misuse in main at 40:5
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(pthread_t) handle;
static atomic_int known;

static void *shows(void *unused)
{
    handle = pthread_self();
    known = 1;
    return unused;
}

static void *joins(void *unused)
{
    if (known)
        pthread_join(handle, NULL);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, shows, NULL);
    pthread_create(&second, NULL, joins, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
