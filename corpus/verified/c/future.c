// A future on the heap: a thread computes, another waits for the result, takes it and frees everything.
//~ flags: --leaks
//~ none: executions=11
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct future {
    pthread_mutex_t m;
    pthread_cond_t c;
    int (*compute)(int);
    int argument, result, ready;
    pthread_t thread;
};

static void *run(void *argument)
{
    struct future *future = argument;
    int result = future->compute(future->argument);
    pthread_mutex_lock(&future->m);
    future->result = result;
    future->ready = 1;
    pthread_cond_signal(&future->c);
    pthread_mutex_unlock(&future->m);
    return NULL;
}

static struct future *async(int (*compute)(int), int argument)
{
    struct future *future = malloc(sizeof *future);
    pthread_mutex_init(&future->m, NULL);
    pthread_cond_init(&future->c, NULL);
    future->compute = compute;
    future->argument = argument;
    future->ready = 0;
    pthread_create(&future->thread, NULL, run, future);
    return future;
}

static int get(struct future *future)
{
    pthread_mutex_lock(&future->m);
    while (!future->ready)
        pthread_cond_wait(&future->c, &future->m);
    int result = future->result;
    pthread_mutex_unlock(&future->m);
    pthread_join(future->thread, NULL);
    pthread_mutex_destroy(&future->m);
    pthread_cond_destroy(&future->c);
    free(future);
    return result;
}

static int square(int x)
{
    return x * x;
}

int main(void)
{
    struct future *future = async(square, 12);
    assert(get(future) == 144);
    return 0;
}
