// boundedbuffer.mzk in C: a producer puts N numbers into a buffer of SIZE cells, a consumer asks N times for one. Neither waits: a number that finds the buffer
// full is lost, and so is a question that finds it empty. Count: C(2N, N).
//~ flags: -D N=4 -D SIZE=2
//~ skip: none
//~ dpor: executions=70
//~ source: executions=70
//~ optimal: executions=70
//~ observers: executions=70
//~ cs: executions=70
//~ optimal-cs: executions=70
//~ optimal-cs-observers: executions=70
//~ constrained: executions=70
//~ quasi:optimal: executions=70
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 7
#endif

#ifndef SIZE
#define SIZE 5
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int buffer[SIZE], first, items;

static void *producer(void *argument)
{
    (void)argument;
    for (int i = 1; i <= N; i++) {
        __VERIFIER_atomic_begin();
        if (items < SIZE) {
            buffer[(first + items) % SIZE] = i;
            items++;
        }
        __VERIFIER_atomic_end();
    }
    return NULL;
}

static void *consumer(void *argument)
{
    (void)argument;
    int last = 0;
    for (int i = 0; i < N; i++) {
        __VERIFIER_atomic_begin();
        if (items > 0) {
            assert(buffer[first] > last);
            last = buffer[first];
            first = (first + 1) % SIZE;
            items--;
        }
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(items >= 0 && items <= SIZE);
    return 0;
}
