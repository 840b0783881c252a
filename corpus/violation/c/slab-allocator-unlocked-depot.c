// The allocator of the verified programs; a full magazine is put into the depot without its lock.
//~ skip: none
#define BUG
#include "../../verified/c/slab-allocator.c"
