// One thread that does nothing: what a tool takes for it is its start-up, compiler included.
// Count: 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

static void *thread(void *argument)
{
    x = (int)(intptr_t)argument;
    return NULL;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, thread, NULL);
    pthread_join(one, NULL);
    assert(x == 0);
    return 0;
}
