// A thread waits for an atomic variable, by a loop or by a compare-and-exchange that it repeats.
// Another thread writes the variable as if it was not atomic, and then stores what is waited for.
// Nothing keeps the waiting thread from looking while the first write happens: a data race. Where
// it looks in vain, its step is disabled, so no execution has the two side by side.
//~ none: executions=17
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
//~ violation: data-race in loader#1 at 25:12
//~ violation: data-race in exchanger#3 at 33:13
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state, turn;

static void *loader(void *unused)
{
    while (atomic_load(&state) != 1)
        ;
    return unused;
}

static void *exchanger(void *unused)
{
    int expected = 1;
    while (!atomic_compare_exchange_weak(&turn, &expected, 2))
        expected = 1;
    return unused;
}

static void set(int *place) { *place = 5; }

static void *setter(void *unused)
{
    set((int *)&state);
    set((int *)&turn);
    atomic_store(&state, 1);
    atomic_store(&turn, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, loader, NULL);
    pthread_create(&threads[1], NULL, setter, NULL);
    pthread_create(&threads[2], NULL, exchanger, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
