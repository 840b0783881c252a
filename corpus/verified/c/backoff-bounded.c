// A lock of one's own with bounded exponential back-off: a thread that finds it taken sleeps, twice
// as long each time, and from some delay on only gives way.
// Count: 2, one for each order of the two critical sections.
//~ none: executions=6
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
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define MOST 64

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static void lock(void)
{
    unsigned delay = 1;
    while (atomic_flag_test_and_set(&taken)) {
        if (delay < MOST) {
            usleep(delay);
            delay <<= 1;
        } else {
            sched_yield();
        }
    }
}

static void *worker(void *unused)
{
    (void)unused;
    lock();
    count++;
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
