// A broadcast wakes all who wait.
//~ skip: none
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

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int open_gate, passed;

static void *waiter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    while (!open_gate)
        pthread_cond_wait(&c, &m);
    passed++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_cond_init(&c, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    open_gate = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(passed == 2);
    pthread_cond_destroy(&c);
    return 0;
}
