// The pointer is looked at, and gone when it is used.
//~ none: executions=4
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: null-pointer in main at 32:18
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int number;
static atomic_int *_Atomic pointer = &number;

static void *clear(void *unused)
{
    (void)unused;
    pointer = NULL;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    if (pointer)
        *pointer = 1;
    pthread_join(thread, NULL);
    return 0;
}
