// A variable is written as if it was not atomic before a thread that waits for it knows of it: by
// order of a flag, of a mutex, of creation. No data race, though that thread waits in each case.
//~ none: executions=18
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
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, state[3];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_made;

static void set(int *place) { *place = 5; }

static void wait_for(atomic_int *place)
{
    while (atomic_load(place) != 1)
        ;
}

static void *waiter(void *unused)
{
    wait_for(&state[0]);
    wait_for(&flag);
    wait_for(&state[1]);
    pthread_mutex_lock(&mutex);
    int made = is_made;
    pthread_mutex_unlock(&mutex);
    if (made)
        wait_for(&state[2]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    set((int *)&state[0]);
    pthread_create(&thread, NULL, waiter, NULL);
    set((int *)&state[1]);
    atomic_store(&flag, 1);
    pthread_mutex_lock(&mutex);
    set((int *)&state[2]);
    is_made = 1;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++)
        atomic_store(&state[i], 1);
    pthread_join(thread, NULL);
    assert(state[2] == 1);
    return 0;
}
