// A thread makes its own handle known, and somebody else joins it: main comes second, or first.
// Count: `optimal` with and without the machine's shortcuts.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(pthread_t) handle;
static atomic_int known;

static void *shows(void *unused)
{
    handle = pthread_self();
    known = 1;
    return unused;
}

static void *joins(void *unused)
{
    if (known)
        pthread_join(handle, NULL);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, shows, NULL);
    pthread_create(&second, NULL, joins, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
