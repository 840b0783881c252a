// A thread looks at several places in turn, another one in each iteration, until one of them is set.
// After a round of all of them nothing has changed, and it waits for any of them.
//~ none: executions=36
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { PLACES = 3 };

static atomic_int places[PLACES];
static int data;

static void *setter(void *unused)
{
    data = 1;
    places[1] = 1;
    return unused;
}

static void *poller(void *unused)
{
    int place = 0;
    while (places[place] == 0)
        place = (place + 1) % PLACES;
    if (data != 1)
        return NULL;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, setter, NULL);
    pthread_create(&threads[1], NULL, poller, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
