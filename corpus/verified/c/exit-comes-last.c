// Main returns while two threads still count. It could do so at any moment; one execution stands for all of them.
// Count: 1, since what they add commutes.
//~ none: executions=63
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *counts(void *unused)
{
    count += 1;
    count += 2;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, counts, NULL);
        pthread_detach(thread);
    }
    return 0;
}
