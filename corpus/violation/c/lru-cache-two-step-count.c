// The cache of the verified programs; users are counted down by a load and a store, so two users
// who leave at once count as one.
//~ flags: -- a a
//~ skip: none
//~ dpor: executions=24
//~ source: executions=24
//~ optimal: executions=24
//~ observers: executions=24
//~ cs: executions=24
//~ optimal-cs: executions=24
//~ optimal-cs-observers: executions=24
//~ constrained: executions=24
//~ quasi:optimal: executions=24
//~ violation: use-after-free in main at 201:37
//~ violation: assertion in main at 202:13
#define BUG
#include "../../verified/c/lru-cache.c"
