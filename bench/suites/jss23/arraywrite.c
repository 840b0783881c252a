// arraywrite.mzk in C: 4 N threads fill an array of N cells, in N / 2 rounds; two more read the first two cells once in each round.
// Who waits, waits in a loop. Count: 4^(N / 2).
//~ flags: -D N=4
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

#ifndef N
#define N 5
#endif

#define ROUNDS (N / 2)

static atomic_int a[N];
static atomic_int turn[4 * N]; // rounds that this writer has done
static atomic_int look[2];     // rounds that this reader has done

static void *writer(void *argument)
{
    int w = (int)(intptr_t)argument, cell = w % N;
    for (int round = 0; round < ROUNDS; round++) {
        if (w >= N) {
            while (turn[w - N] <= round) // the writer before me in this round
                ;
        } else if (round > 0) {
            while (turn[w + 3 * N] != round) // the last one of the round before
                ;
            if (cell < 2)
                while (look[cell] != round)
                    ;
        }
        a[cell] = 1;
        turn[w] = round + 1;
    }
    return NULL;
}

static void *reader(void *argument)
{
    int cell = (int)(intptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        while (turn[cell + 2 * N] <= round)
            ;
        assert(a[cell] == 1);
        look[cell] = round + 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4 * N + 2];
    for (intptr_t w = 0; w < 4 * N; w++)
        pthread_create(&threads[w], NULL, writer, (void *)w);
    for (intptr_t cell = 0; cell < 2; cell++)
        pthread_create(&threads[4 * N + cell], NULL, reader, (void *)cell);
    for (int k = 0; k < 4 * N + 2; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
