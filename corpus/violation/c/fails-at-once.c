// A thread fails before its first visible step, and main fails on its own: either can be first.
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
//~ violation: assertion in main at 31:5
//~ violation: assertion in fails#1 at 23:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *fails(void *argument)
{
    assert(argument != NULL);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, fails, NULL);
    assert(x != 0);
    return 0;
}
