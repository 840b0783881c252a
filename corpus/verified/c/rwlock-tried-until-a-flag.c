// A writer tries a read-write lock again and again, until it has it or a flag is set. It waits for
// one of those whom it found to give the lock back. How many readers there are is not what it waits
// for: they come and go, and are not ordered with one that waits.
//~ flags: --no-data-races
//~ none: executions=24062
//~ dpor: executions=88 blocked=3
//~ source: executions=88 blocked=3
//~ optimal: executions=88
//~ observers: executions=88
//~ cs: executions=16 blocked=27
//~ optimal-cs: executions=19 blocked=29
//~ optimal-cs-observers: executions=19 blocked=29
//~ constrained: executions=88 blocked=3
//~ quasi:optimal: executions=88
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int flag;
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
    flag = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    while (pthread_rwlock_trywrlock(&lock) != 0) {
        if (flag)
            return unused;
    }
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
