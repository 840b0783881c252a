// Main joins a grandchild while its own child still runs: it is not alone, and what it reads is still being written.
// Count: the orders of the write and the read, 2.
//~ flags: --no-data-races
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
