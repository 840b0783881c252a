// Memory that nobody frees, with --leaks.
//~ flags: --leaks
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
//~ violation: leak in main at 18:17
#include <stdlib.h>

int main(void)
{
    int *kept = malloc(sizeof *kept);
    *kept = 1;
    return 0;
}
