// A recursive mutex can be locked again by its holder, and is free when it was unlocked as often.
// Count: the orders of two critical sections, 2.
//~ none: executions=2
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int depth, entered;

static void enter(int levels)
{
    pthread_mutex_lock(&m);
    depth++;
    if (levels > 1)
        enter(levels - 1);
    else
        entered++;
    depth--;
    pthread_mutex_unlock(&m);
}

static void *worker(void *unused)
{
    (void)unused;
    enter(3);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &recursive);
    pthread_mutexattr_destroy(&recursive);
    pthread_create(&thread, NULL, worker, NULL);
    enter(2);
    pthread_join(thread, NULL);
    assert(depth == 0 && entered == 2);
    pthread_mutex_destroy(&m);
    return 0;
}
