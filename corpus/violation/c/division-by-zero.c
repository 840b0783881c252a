// The divisor is zero for a moment.
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
//~ violation: division-by-zero in main at 30:21
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;

static void *worker(void *unused)
{
    (void)unused;
    divisor = 0;
    divisor = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int share = 100 / divisor;
    pthread_join(thread, NULL);
    return share == 0;
}
