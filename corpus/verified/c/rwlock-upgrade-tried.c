// A reader tries to become the writer. It keeps itself from that, whoever else reads: its attempt depends on nobody.
// Count: one trace.
//~ none: executions=10
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

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrader(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) != 0);
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, upgrader, NULL);
    if (pthread_rwlock_tryrdlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
