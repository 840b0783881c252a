// qsort and bsearch call back into the program.
// Count: 1.
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
#include <assert.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    int numbers[] = {5, 3, 9, 1, 7, 3}, key = 7, missing = 4;
    qsort(numbers, 6, sizeof *numbers, by_value);
    for (int i = 0; i < 5; i++)
        assert(numbers[i] <= numbers[i + 1]);
    int *found = bsearch(&key, numbers, 6, sizeof *numbers, by_value);
    assert(found == &numbers[4] && !bsearch(&missing, numbers, 6, sizeof *numbers, by_value));
    return 0;
}
