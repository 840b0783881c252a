// Two threads write, and main reads after both have ended: who wrote last is observed, although nobody else is left.
// Count: the orders of the two writes, 2.
//~ flags: --no-data-races
#include <assert.h>
#include <pthread.h>

static int value;

static void *one(void *unused)
{
    value = 1;
    return unused;
}

static void *two(void *unused)
{
    value = 2;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(value == 2);
    return 0;
}
