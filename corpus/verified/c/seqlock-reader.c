// A sequence lock with a reader as textbooks have it: wait until the number is even, read, and
// begin again if the number has changed since. One write.
//~ none: executions=40
//~ dpor: executions=10
//~ source: executions=10
//~ optimal: executions=10
//~ observers: executions=10
//~ cs: executions=10
//~ optimal-cs: executions=10
//~ optimal-cs-observers: executions=10
//~ constrained: executions=10
//~ quasi:optimal: executions=10
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
    sequence = 2;
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
