// The allocator of the verified programs; a full magazine is put into the depot without its lock.
//~ skip: none
//~ dpor: executions=144
//~ source: executions=144
//~ optimal: executions=144
//~ observers: executions=144
//~ cs: executions=144
//~ optimal-cs: executions=144
//~ optimal-cs-observers: executions=144
//~ constrained: executions=144
//~ quasi:optimal: executions=144
//~ violation: data-race in friend_run#1 at 139:28
//~ violation: data-race in friend_run#2 at 139:28
//~ violation: data-race in friend_run#1 at 140:20
//~ violation: assertion in main at 258:5
#define BUG
#include "../../verified/c/slab-allocator.c"
