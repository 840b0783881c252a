// The sum of two numbers that fits no int, with --overflow; without it, it wraps around.
//~ flags: --overflow
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int limit = 1;

static void *worker(void *unused)
{
    (void)unused;
    limit = INT_MAX;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int next = limit + 1;
    pthread_join(thread, NULL);
    return next == 0;
}
