// A branch on memory that was never written.
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
//~ violation: uninitialised in main at 19:9
#include <stdlib.h>

int main(void)
{
    int *cells = malloc(2 * sizeof *cells), result = 0;
    cells[0] = 1;
    if (cells[1] > 0)
        result = 1;
    free(cells);
    return result;
}
