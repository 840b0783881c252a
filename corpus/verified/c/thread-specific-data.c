// Keys: each thread has its own value, and the destructor runs at the end of a thread whose value is not null.
//~ flags: --leaks
//~ skip: none
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
    atomic_fetch_add(&destroyed, *(int *)value);
    free(value);
}

static void *worker(void *argument)
{
    assert(pthread_getspecific(key) == NULL);
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)argument;
    pthread_setspecific(key, mine);
    assert(*(int *)pthread_getspecific(key) == *(int *)argument);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {10, 20};
    pthread_key_create(&key, destroy);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(destroyed == 30 && pthread_getspecific(key) == NULL);
    pthread_key_delete(key);
    return 0;
}
