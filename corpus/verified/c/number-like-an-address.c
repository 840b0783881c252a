// Threads store a number whose upper half is that of an address: the block of another thread stays its own all the same.
// Count: the orders of four writes of one variable by two threads, 6; the block takes no part.
//~ flags: --no-data-races -D SLOT=12
#include <pthread.h>
#include <stdlib.h>

static long number;

static void *stores(void *unused)
{
    number = (long)SLOT << 32;
    number = (long)(SLOT + 1) << 32;
    return unused;
}

static void *owns(void *unused)
{
    int *block = malloc(sizeof *block);
    *block = 1;
    number = (long)(SLOT - 1) << 32;
    *block = 2;
    number = (long)SLOT << 32;
    *block = 3;
    free(block);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, stores, NULL);
    pthread_create(&second, NULL, owns, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
