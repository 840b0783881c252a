// Functions that run before main, by priority, and after it.
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

static int order;

__attribute__((constructor(201))) static void later(void)
{
    assert(order == 1);
    order = 2;
}

__attribute__((constructor(101))) static void sooner(void)
{
    assert(order == 0);
    order = 1;
}

__attribute__((destructor)) static void last(void)
{
    assert(order == 3);
}

int main(void)
{
    assert(order == 2);
    order = 3;
    return 0;
}
