// Each thread gets back what it has set itself: its cancel state and its cancel type are its own.
// Count: nothing is shared, 1.
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
#include <pthread.h>

static void change(int state, int was)
{
    int old = -1;
    assert(pthread_setcancelstate(state, &old) == 0 && old == was);
}

static void *worker(void *unused)
{
    (void)unused;
    int old = -1;
    change(PTHREAD_CANCEL_DISABLE, PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_ASYNCHRONOUS);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    change(PTHREAD_CANCEL_DISABLE, PTHREAD_CANCEL_ENABLE);
    pthread_create(&thread, NULL, worker, NULL);
    change(PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE);
    change(PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(2, NULL) != 0);
    pthread_join(thread, NULL);
    return 0;
}
