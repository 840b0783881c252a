// A writer tries a read-write lock that two readers take and give back, and waits if it fails. What
// its try finds is changed by readers who name the lock as read: so whom it finds may not be part of
// what it names (the breakage `TriesNameReaders` does that, and `quasi` then lacks an execution).
//~ flags: --no-data-races
//~ none: executions=854
//~ dpor: executions=18
//~ source: executions=18
//~ optimal: executions=18
//~ observers: executions=18
//~ cs: executions=11 blocked=7
//~ optimal-cs: executions=11 blocked=9
//~ optimal-cs-observers: executions=11 blocked=9
//~ constrained: executions=18
//~ quasi:optimal: executions=18
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *one(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *two(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    x = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    if (pthread_rwlock_trywrlock(&lock) != 0)
        pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    return 0;
}
