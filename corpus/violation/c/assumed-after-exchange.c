// An exchange whose result is assumed to be another one: what it left is there for others.
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
//~ violation: assertion in main at 31:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

static atomic_int x;

static void *exchanges(void *unused)
{
    __VERIFIER_assume(atomic_exchange(&x, 1) == 5);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, exchanges, NULL);
    assert(x != 1);
    return 0;
}
