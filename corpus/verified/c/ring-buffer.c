// A ring between one producer and one consumer: each index has one writer, so no compare and exchange is needed, and the cells
// are plain memory that never is touched from both sides at once.
//~ skip: none
//~ dpor: executions=9
//~ source: executions=9
//~ optimal: executions=9
//~ observers: executions=9
//~ cs: executions=9
//~ optimal-cs: executions=9
//~ optimal-cs-observers: executions=9
//~ constrained: executions=9
//~ quasi:optimal: executions=9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3

static int cells[SIZE];
static atomic_uint head, tail;

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
        unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
        while (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
            ;
        cells[at % SIZE] = i;
        atomic_store_explicit(&tail, at + 1, memory_order_release);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
        unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
        while (at == atomic_load_explicit(&tail, memory_order_acquire))
            ;
        assert(cells[at % SIZE] == i);
        atomic_store_explicit(&head, at + 1, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
