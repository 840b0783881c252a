// Main joins a grandchild while its own child still runs: it is not alone, and what it reads is still being written.
// Count: the orders of the write and the read, 2.
//~ flags: --no-data-races
//~ none: executions=5
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: assertion in main at 43:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t grandchild;
static atomic_int created;
static int value;

static void *idle(void *unused)
{
    return unused;
}

static void *child(void *unused)
{
    pthread_create(&grandchild, NULL, idle, NULL);
    created = 1;
    value = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    while (!created) {
    }
    pthread_join(grandchild, NULL);
    assert(value == 1);
    pthread_join(thread, NULL);
    return 0;
}
