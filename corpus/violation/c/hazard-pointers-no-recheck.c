// The job list with hazard pointers of the verified programs; a node is not looked for again after
// it was announced, so it may have been freed in between.
//~ flags: -- 1 1
//~ skip: none
#define BUG
#include "../../verified/c/hazard-pointers.c"
