// The cache of the verified programs; users are counted down by a load and a store, so two users
// who leave at once count as one.
//~ flags: -- a a
//~ skip: none
#define BUG
#include "../../verified/c/lru-cache.c"
