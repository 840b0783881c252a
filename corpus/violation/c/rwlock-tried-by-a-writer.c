// Two readers never give the lock back; a writer that tries it, and then waits for it, can be
// first. (Its try fails for two reasons, and leaving out one reader is not enough.)
// Count: the try comes before both, after one of them, after the other, or after both.
//~ none: executions=14
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
//~ violation: assertion in writer#3 at 28:5
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    assert(pthread_rwlock_trywrlock(&lock) != 0);
    pthread_rwlock_wrlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    return 0;
}
