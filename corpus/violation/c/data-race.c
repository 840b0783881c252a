// Two threads count without a lock: a data race, and, where that does not matter, a lost update.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *unused)
{
    (void)unused;
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
