// pthread_once: whoever comes first runs the routine, and nobody goes on before it has run.
// Count: the orders of two calls, 2.
//~ none: executions=22
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

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made, value;

static void make(void)
{
    made++;
    value = 5;
}

static void *user(void *unused)
{
    (void)unused;
    pthread_once(&once, make);
    assert(value == 5);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(made == 1);
    return 0;
}
