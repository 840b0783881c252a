// errno belongs to the thread; the environment is empty.
// Count: 1.
//~ none: executions=1
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused)
{
    (void)unused;
    assert(errno == 0);
    errno = EINVAL;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    errno = 0;
    pthread_create(&thread, NULL, worker, NULL);
    errno = ENOMEM;
    pthread_join(thread, NULL);
    assert(errno == ENOMEM && getenv("HOME_OF_NOBODY") == NULL);
    return 0;
}
