// What is assumed of an atomic variable never holds, or holds later: the load waits before the
// assumption instead of failing it. Another thread writes the variable as if it was not atomic,
// and then by an atomic store. The load could have been beside the first write: a data race.
//~ none: executions=0 assume_blocked=1
//~ dpor: executions=0 assume_blocked=1
//~ source: executions=0 assume_blocked=1
//~ optimal: executions=0 assume_blocked=1
//~ observers: executions=0 assume_blocked=1
//~ cs: executions=0 assume_blocked=1
//~ optimal-cs: executions=0 assume_blocked=1
//~ optimal-cs-observers: executions=0 assume_blocked=1
//~ constrained: executions=0 assume_blocked=1
//~ quasi:optimal: executions=0 assume_blocked=1
//~ violation: data-race in assumer#1 at 25:23
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern void __VERIFIER_assume(int);

static atomic_int state;

static void *assumer(void *unused)
{
    __VERIFIER_assume(atomic_load(&state) == 1);
    return unused;
}

static void set(int *place) { *place = 5; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, assumer, NULL);
    set((int *)&state);
    atomic_store(&state, 6);
    pthread_join(thread, NULL);
    return 0;
}
