// Thread-local variables: each thread has its own, with the initial value, and nobody races for them.
// Count: 1.
//~ none: executions=1
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

static _Thread_local int counter = 5;
static __thread char name[4] = "abc";

static void *worker(void *unused)
{
    (void)unused;
    assert(counter == 5 && name[1] == 'b');
    for (int i = 0; i < 3; i++)
        counter++;
    name[1] = 'x';
    assert(counter == 8 && name[1] == 'x' && name[2] == 'c');
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    worker(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 8);
    return 0;
}
