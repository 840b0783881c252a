// Main returns while two threads still count. It could do so at any moment; one execution stands for all of them.
// Count: the orders of two times two updates, 6.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *counts(void *unused)
{
    count *= 2;
    count += 1;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, counts, NULL);
        pthread_detach(thread);
    }
    return 0;
}
