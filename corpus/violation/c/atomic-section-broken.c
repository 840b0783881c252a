// One thread moves money in an atomic section, the other looks at the two accounts one after the other.
//~ none: executions=3
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: assertion in main at 38:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int x = 10, y;

static void *worker(void *unused)
{
    (void)unused;
    __VERIFIER_atomic_begin();
    x -= 3;
    y += 3;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int sum = x;
    sum += y;
    assert(sum == 10);
    pthread_join(thread, NULL);
    return 0;
}
