// A local variable that only one way through the function writes.
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int x;
    if (__VERIFIER_nondet_bool())
        x = 1;
    return x ? 0 : 1;
}
