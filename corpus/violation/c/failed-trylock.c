// A lock that is tried in vain tells that somebody has it, and nothing of what was done before it was taken.
//~ none: executions=4
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: data-race in main at 33:9
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *writer(void *unused)
{
    data = 1;
    pthread_mutex_lock(&taken);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (pthread_mutex_trylock(&taken) == 0)
        pthread_mutex_unlock(&taken);
    else
        assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
