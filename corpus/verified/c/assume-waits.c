// Assumptions about what was just read: each thread goes on where the value fits, and nothing is discarded for the others.
// Count: 8. The second thread reads one of the two threes, and what it writes then comes before or after each of the three
// reads of `seen`; discarded are the executions in which it has missed both.
//~ none: executions=820 assume_blocked=105
//~ dpor: executions=8 blocked=1 assume_blocked=3
//~ source: executions=8 blocked=1 assume_blocked=3
//~ optimal: executions=8 assume_blocked=3
//~ observers: executions=8 assume_blocked=3
//~ cs: executions=8 blocked=1 assume_blocked=3
//~ optimal-cs: executions=8 assume_blocked=3
//~ optimal-cs-observers: executions=8 assume_blocked=3
//~ constrained: executions=8 blocked=1 assume_blocked=3
//~ quasi:optimal: executions=8 assume_blocked=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int value, seen;

static void *counts(void *unused)
{
    for (int i = 1; i <= 4; i++)
        value = i;
    return unused;
}

static void *waits(void *unused)
{
    __VERIFIER_assume(value == 3);
    seen = 1;
    return unused;
}

static void *looks(void *unused)
{
    int before = seen;
    __VERIFIER_assume(value > 1);
    assert(seen >= before);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, counts, NULL);
    pthread_create(&threads[1], NULL, waits, NULL);
    pthread_create(&threads[2], NULL, looks, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
