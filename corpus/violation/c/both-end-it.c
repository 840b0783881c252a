// Two accesses that race, each followed by a failure: no execution has both, the race is found.
// Count: 2.
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
//~ violation: assertion in main at 34:5
//~ violation: data-race in main at 33:7
//~ violation: assertion in reads#1 at 24:5
#include <assert.h>
#include <pthread.h>

static int x;

static void *reads(void *at)
{
    int seen = *(int *)at;
    assert(seen != 0);
    return NULL;
}

int main(void)
{
    int never = 0;
    pthread_t reader;
    pthread_create(&reader, NULL, reads, &x);
    x = never;
    assert(never);
    return 0;
}
