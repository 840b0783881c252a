// A mutex is initialised while somebody may hold it. Whether that is so is read: in one order it
// fails, and ends the execution.
//~ none: executions=9
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: lock in initialiser#2 at 28:5
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *writer(void *unused)
{
    x = 1;
    return unused;
}

static void *initialiser(void *unused)
{
    pthread_mutex_init(&mutex, NULL);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_mutex_lock(&mutex);
    pthread_create(&threads[1], NULL, initialiser, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
