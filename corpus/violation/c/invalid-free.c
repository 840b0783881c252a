// free of a pointer into the middle of a block.
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
//~ violation: invalid-free in main at 19:5
#include <stdlib.h>

int main(void)
{
    char *block = malloc(8);
    block++;
    free(block);
    return 0;
}
