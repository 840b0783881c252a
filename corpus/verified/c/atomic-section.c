// What stands between begin and end of an atomic section is one step, and so is a function whose name says so.
// Count: the orders of two steps, 2.
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
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y;

static void __VERIFIER_atomic_move(int amount)
{
    x -= amount;
    y += amount;
}

static void *worker(void *unused)
{
    (void)unused;
    __VERIFIER_atomic_move(3);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    __VERIFIER_atomic_begin();
    int sum = x + y;
    __VERIFIER_atomic_end();
    assert(sum == 0);
    pthread_join(thread, NULL);
    return 0;
}
