// A nondeterministic truth value: both are explored.
// Count: the choices of two bits, 4.
//~ none: executions=4
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void)
{
    bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
    int both = a && b, either = a || b;
    assert(both + either == a + b);
    return 0;
}
