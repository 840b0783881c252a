// The ways to get memory and to give it back: nothing is left at the end.
// Count: 1.
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
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *zeroed = calloc(4, sizeof *zeroed);
    assert(zeroed[0] == 0 && zeroed[3] == 0);
    zeroed[3] = 9;
    zeroed = realloc(zeroed, 8 * sizeof *zeroed);
    assert(zeroed[3] == 9);
    zeroed[7] = 1;
    zeroed = realloc(zeroed, 4 * sizeof *zeroed);
    assert(zeroed[3] == 9);
    free(zeroed);
    char *aligned = aligned_alloc(64, 128);
    assert((uintptr_t)aligned % 64 == 0);
    aligned[127] = 'x';
    free(aligned);
    void *memory = NULL;
    assert(posix_memalign(&memory, 32, 32) == 0 && memory);
    free(memory);
    free(NULL);
    free(realloc(NULL, 10));
    return 0;
}
