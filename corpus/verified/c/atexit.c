// exit runs the handlers, the last registered first; _exit, in the last of them, ends it all.
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
#include <stdlib.h>
#include <unistd.h>

static int order;

static void first(void)
{
    assert(order == 1);
    _exit(0);
}

static void second(void)
{
    assert(order == 0);
    order = 1;
}

int main(void)
{
    atexit(first);
    atexit(second);
    exit(3);
}
