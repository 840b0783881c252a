// A block that is too small for what is written to it: the end of a string was forgotten.
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
//~ violation: out-of-bounds in main at 20:5
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *text = "mazurka";
    char *copy = malloc(strlen(text));
    strcpy(copy, text);
    free(copy);
    return 0;
}
