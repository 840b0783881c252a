// A reader takes the pointer to the current version and says so; the writer publishes a new version and frees the old one only when
// no reader is left that could have seen it.
//~ skip: none
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct version {
    int a, b;
};

static struct version *_Atomic current;
static atomic_int reading;

static struct version *make(int value)
{
    struct version *version = malloc(sizeof *version);
    version->a = version->b = value;
    return version;
}

static void *reader(void *unused)
{
    (void)unused;
    reading = 1;
    struct version *seen = current;
    assert(seen->a == seen->b);
    reading = 0;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    current = make(1);
    pthread_create(&thread, NULL, reader, NULL);
    struct version *old = atomic_exchange(&current, make(2));
    while (reading)
        ;
    free(old);
    pthread_join(thread, NULL);
    free(current);
    return 0;
}
