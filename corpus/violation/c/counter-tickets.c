// Threads draw tickets from a counter. They use what they find, so the order of their additions counts.
// Count: the orders of three additions.
//~ none: executions=280
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: assertion in main at 35:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int next;
static atomic_int served[3];

static void *customer(void *argument)
{
    served[(intptr_t)argument] = atomic_fetch_add(&next, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, customer, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(served[0] < 2 || served[2] > 0);
    return 0;
}
