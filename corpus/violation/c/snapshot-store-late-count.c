// The store of the verified programs; a reader counts itself as a user of the version after it gave
// the lock back.
//~ flags: -- a=1 ?
//~ skip: none
#define BUG
#include "../../verified/c/snapshot-store.c"
