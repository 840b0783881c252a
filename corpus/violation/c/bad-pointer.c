// A number that is no address is used as one.
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
//~ violation: invalid-pointer in main at 18:12
#include <stdint.h>

int main(void)
{
    int *pointer = (int *)(uintptr_t)0xdeadbeef;
    return *pointer;
}
