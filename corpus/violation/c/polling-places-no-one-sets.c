// A thread looks at several places in turn, another one in each iteration, until one of them is set.
// Another one sets a place and takes that back: if it is seen too late, the thread polls for ever.
//~ none: executions=28
//~ dpor: executions=7
//~ source: executions=7
//~ optimal: executions=7
//~ observers: executions=7
//~ cs: executions=7
//~ optimal-cs: executions=7
//~ optimal-cs-observers: executions=7
//~ constrained: executions=7
//~ quasi:optimal: executions=7
//~ violation: livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { PLACES = 3 };

static atomic_int places[PLACES];

static void *setter(void *unused)
{
    places[2] = 1;
    places[2] = 0;
    return unused;
}

static void *poller(void *unused)
{
    int place = 0;
    while (places[place] == 0)
        place = (place + 1) % PLACES;
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
