// A sequence lock whose writer forgets to make the number even again: the reader goes round for
// ever, which is a livelock and no deadlock.
//~ none: executions=24
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *writer(void *unused)
{
    (void)unused;
    sequence = 1;
    x = 1;
    y = 1;
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    unsigned before;
    int a, b;
    do {
        while ((before = sequence) & 1)
            ;
        a = x;
        b = y;
    } while (sequence != before);
    assert(a == b);
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&other, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
