// A thread writes, and its next assumption fails: what it wrote is there for others until then.
// Count: 1, and 2 discarded. Main looks before the write, after it, or after the assumption.
//~ none: executions=1 assume_blocked=2
//~ dpor: executions=1 assume_blocked=2
//~ source: executions=1 assume_blocked=2
//~ optimal: executions=1 assume_blocked=2
//~ observers: executions=1 assume_blocked=2
//~ cs: executions=1 assume_blocked=2
//~ optimal-cs: executions=1 assume_blocked=2
//~ optimal-cs-observers: executions=1 assume_blocked=2
//~ constrained: executions=1 assume_blocked=2
//~ quasi:optimal: executions=1 assume_blocked=2
//~ violation: assertion in main at 34:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

static atomic_int x;

static void *writes(void *unused)
{
    int never = 0;
    x = 1;
    __VERIFIER_assume(never);
    return unused;
}

int main(void)
{
    pthread_t writer;
    pthread_create(&writer, NULL, writes, NULL);
    assert(x != 1);
    return 0;
}
