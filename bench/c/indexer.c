// N threads put four messages each into a hash table by compare and exchange; up to eleven threads never meet.
// From: Flanagan and Godefroid, Dynamic partial-order reduction for model checking software, 2005.
// Count: 1 up to N = 11; 8 with N = 12.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];

static void *worker(void *argument)
{
    int me = (int)(intptr_t)argument, sent = 0;
    while (sent < MESSAGES) {
        int message = ++sent * 11 + me;
        int at = (message * 7) % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong(&table[at], &empty, message)) {
            at = (at + 1) % SIZE;
            empty = 0;
        }
    }
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
