// Threads hold a lock where they look whether something has happened; where it has not, they give
// the lock back, and take it again. A mutex, a read-write lock, a spin lock. They wait where they
// do not have the lock: so the others can take it.
// Count: for the read-write lock and the spin lock, whether main looks first or the other thread
// sets first: 4. With the mutex, main waits before it looks.
//~ none: executions=761
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int stage[3];

static void *setter(void *unused)
{
    pthread_mutex_lock(&mutex);
    stage[0] = 1;
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_wrlock(&readers);
    stage[1] = 1;
    pthread_rwlock_unlock(&readers);
    pthread_spin_lock(&spin);
    stage[2] = 1;
    pthread_spin_unlock(&spin);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&spin, 0);
    pthread_create(&thread, NULL, setter, NULL);
    pthread_mutex_lock(&mutex);
    while (!stage[0]) {
        pthread_mutex_unlock(&mutex);
        sched_yield();
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&readers);
    while (!stage[1]) {
        pthread_rwlock_unlock(&readers);
        sched_yield();
        pthread_rwlock_rdlock(&readers);
    }
    pthread_rwlock_unlock(&readers);
    pthread_spin_lock(&spin);
    while (!stage[2]) {
        pthread_spin_unlock(&spin);
        pthread_spin_lock(&spin);
    }
    pthread_spin_unlock(&spin);
    pthread_join(thread, NULL);
    assert(stage[0] && stage[1] && stage[2]);
    return 0;
}
