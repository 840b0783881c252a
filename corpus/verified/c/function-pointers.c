// Calls through pointers, tables of them, and functions as arguments; some of them in another thread.
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

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }

static operation const table[] = {add, subtract, times};
static operation chosen;

static int apply(operation f, int a, int b)
{
    return f ? f(a, b) : -1;
}

static void *worker(void *unused)
{
    (void)unused;
    assert(apply(chosen, 7, 3) == 21);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    assert(apply(table[0], 7, 3) == 10 && apply(table[1], 7, 3) == 4 && apply(0, 1, 2) == -1);
    chosen = table[2];
    assert(chosen == times && chosen != add);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
