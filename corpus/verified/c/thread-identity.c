// pthread_self, pthread_equal, and what a thread returns, by return or by pthread_exit from a function below.
// Count: 1.
//~ none: executions=5
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

static int values[2];

static void leave(int *value)
{
    *value = 6;
    pthread_exit(value);
}

static void *returns(void *argument)
{
    int *value = argument;
    *value = 5;
    return value;
}

static void *exits(void *argument)
{
    leave(argument);
    assert(0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    void *one, *other;
    pthread_create(&a, NULL, returns, &values[0]);
    pthread_create(&b, NULL, exits, &values[1]);
    assert(pthread_equal(pthread_self(), pthread_self()) && !pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
    assert(pthread_join(a, &one) == 0 && pthread_join(b, &other) == 0);
    assert(*(int *)one == 5 && *(int *)other == 6);
    return 0;
}
