// The least int has no absolute value, with --overflow.
//~ flags: --overflow
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
//~ violation: overflow in main at 20:12
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    int least = INT_MIN;
    return abs(least) == 0;
}
