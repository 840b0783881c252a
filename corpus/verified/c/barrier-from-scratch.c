// A barrier with a sense that is turned at each use, used twice.
//~ skip: none
//~ dpor: executions=16
//~ source: executions=16
//~ optimal: executions=16
//~ observers: executions=16
//~ cs: executions=16
//~ optimal-cs: executions=16
//~ optimal-cs-observers: executions=16
//~ constrained: executions=16
//~ quasi:optimal: executions=16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static atomic_int arrived, sense;
static int part[N];

static void barrier(int *mine)
{
    *mine = !*mine;
    if (atomic_fetch_add(&arrived, 1) + 1 == N) {
        arrived = 0;
        sense = *mine;
    } else {
        while (sense != *mine)
            ;
    }
}

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument, mine = 0;
    part[me] = 1;
    barrier(&mine);
    assert(part[1 - me] == 1);
    barrier(&mine);
    part[me] = 2;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
