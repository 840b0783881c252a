// A nondeterministic truth value: both are explored.
// Count: the choices of two bits, 4.
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
