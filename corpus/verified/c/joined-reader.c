// Main joins a thread that has read by a read-write lock, and whose next assumption fails.
// The join waits, and could not have run before the thread's end.
//~ none: executions=0 assume_blocked=4
//~ dpor: executions=0 assume_blocked=1
//~ source: executions=0 assume_blocked=1
//~ optimal: executions=0 assume_blocked=1
//~ observers: executions=0 assume_blocked=1
//~ cs: executions=0 assume_blocked=1
//~ optimal-cs: executions=0 assume_blocked=1
//~ optimal-cs-observers: executions=0 assume_blocked=1
//~ constrained: executions=0 assume_blocked=1
//~ quasi:optimal: executions=0 assume_blocked=1
#include <pthread.h>

void __VERIFIER_assume(int condition);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_t handle;

static void *reads(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    __VERIFIER_assume(argument != NULL);
    return argument;
}

int main(void)
{
    pthread_create(&handle, NULL, reads, NULL);
    pthread_join(handle, NULL);
    return 0;
}
