// Main returns while two threads still count. It could do so at any moment; one execution stands for all of them.
// Count: the orders of two times two updates, 6.
//~ none: executions=63
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
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
