// Between two groups of threads main is alone. It passes on what the first group left, and the second group looks at it.
// Count: the orders of the first two writes, 2.
//~ flags: --no-data-races
#include <assert.h>
#include <pthread.h>

static int left, passed;

static void *writes(void *value)
{
    left = (int)(long)value;
    return NULL;
}

static void *reads(void *unused)
{
    assert(passed == 2);
    return unused;
}

int main(void)
{
    pthread_t first, second, third;
    pthread_create(&first, NULL, writes, (void *)1);
    pthread_create(&second, NULL, writes, (void *)2);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    passed = left;
    pthread_create(&third, NULL, reads, NULL);
    pthread_join(third, NULL);
    return 0;
}
