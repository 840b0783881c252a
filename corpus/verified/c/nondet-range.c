// Nondeterministic numbers from the range that was given.
// Count: 5 values.
//~ flags: --nondet -2..2
//~ none: executions=5
//~ dpor: executions=5
//~ source: executions=5
//~ optimal: executions=5
//~ observers: executions=5
//~ cs: executions=5
//~ optimal-cs: executions=5
//~ optimal-cs-observers: executions=5
//~ constrained: executions=5
//~ quasi:optimal: executions=5
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x >= -2 && x <= 2 && x * x <= 4);
    return 0;
}
