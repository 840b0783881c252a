// An atomic section keeps other atomic sections out, and nobody else: what is read outside of one is in a race with it.
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
//~ violation: data-race in main at 33:16
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int balance = 10;

static void *worker(void *unused)
{
    (void)unused;
    __VERIFIER_atomic_begin();
    balance -= 3;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int seen = balance;
    pthread_join(thread, NULL);
    return seen < 0;
}
