// A local variable that only one way through the function writes.
//~ none: executions=2
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: uninitialised in main at 22:12
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int x;
    if (__VERIFIER_nondet_bool())
        x = 1;
    return x ? 0 : 1;
}
