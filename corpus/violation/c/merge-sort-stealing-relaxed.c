// The parallel sort of the verified programs; parts are counted down by relaxed operations, so
// who merges does not know what the thief has written.
//~ flags: -- 3 1 2
//~ skip: none
#define BUG
#include "../../verified/c/merge-sort-stealing.c"
