// A thread is detached by one and joined by another: a join that comes too late waits for nobody.
// Count: 6. For each choice: joined first; detached first, with the thread's read and without.
//~ flags: --no-data-races
//~ none: executions=58
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: misuse in detaches#2 at 33:5
//~ violation: misuse in main at 42:5
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_t handle;
static int x;

static void *chooses(void *unused)
{
    int chosen = __VERIFIER_nondet_bool();
    chosen = x;
    (void)chosen;
    return unused;
}

static void *detaches(void *unused)
{
    pthread_detach(handle);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&handle, NULL, chooses, NULL);
    pthread_create(&other, NULL, detaches, &x);
    pthread_join(handle, NULL);
    return 0;
}
