// The arguments of the program, from the command line behind `--`.
// Count: 1.
//~ flags: -- 3 word
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
#include <string.h>

int main(int argc, char **argv)
{
    if (argc == 1)
        return 0;
    assert(argc == 3 && atoi(argv[1]) == 3 && strcmp(argv[2], "word") == 0 && argv[3] == NULL && argv[0][0]);
    return 0;
}
