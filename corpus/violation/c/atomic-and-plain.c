// One access is atomic, the other is not: still a data race.
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
//~ violation: data-race in main at 28:16
#include <pthread.h>

static int x;

static void *writer(void *unused)
{
    (void)unused;
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int seen = x;
    pthread_join(thread, NULL);
    return seen - seen;
}
