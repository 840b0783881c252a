// pipesort.mzk in C: N numbers run through a pipeline of N stages over links that either end may open.
// Who waits, waits in a loop. Count: N!.
//~ flags: -D N=3
//~ skip: none
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=4
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=4
//~ constrained: executions=6
//~ quasi:optimal: executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

#define NOTHING 0

static atomic_int open[N];     // the link behind this stage
static atomic_int link[N * N]; // the numbers on it
static int kept[N];

static void *stage(void *argument)
{
    int i = (int)(intptr_t)argument, smallest = NOTHING;
    if (i > 0)
        open[i - 1] = 1;
    for (int j = 0; j < N - i; j++) {
        int next = 1 + (j + 1) * (j + 1) * 7 % 11; // the input, if this is the first stage
        if (i > 0)
            while ((next = link[(i - 1) * N + j]) == NOTHING)
                ;
        if (j == 0) {
            smallest = next;
            continue;
        }
        open[i] = 1;
        link[i * N + j - 1] = next > smallest ? next : smallest;
        smallest = next > smallest ? smallest : next;
    }
    kept[i] = smallest;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, stage, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < N; i++)
        assert(kept[i - 1] <= kept[i] && open[i - 1]);
    return 0;
}
