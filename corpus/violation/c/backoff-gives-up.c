// A lock of one's own with bounded exponential back-off. A thread that has waited for longer than
// the bound goes on without the lock: here the delay decides something, and the loop does not wait.
//~ none: executions=288
//~ dpor: executions=22
//~ source: executions=22
//~ optimal: executions=22
//~ observers: executions=22
//~ cs: executions=22
//~ optimal-cs: executions=22
//~ optimal-cs-observers: executions=22
//~ constrained: executions=22
//~ quasi:optimal: executions=22
//~ violation: assertion in main at 52:5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define MOST 4

static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_int count;

static void lock(void)
{
    unsigned delay = 1;
    while (atomic_flag_test_and_set(&taken)) {
        if (delay >= MOST)
            return;
        usleep(delay);
        delay <<= 1;
    }
}

static void *worker(void *unused)
{
    (void)unused;
    lock();
    int old = count;
    count = old + 1;
    atomic_flag_clear(&taken);
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&other, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(count == 2);
    return 0;
}
