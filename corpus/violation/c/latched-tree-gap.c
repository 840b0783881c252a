// The tree; a reader gives back the latch of a node before it has that of the next one.
//~ flags: -D PRELOAD=4
//~ skip: none
//~ dpor: executions=7
//~ source: executions=7
//~ optimal: executions=7
//~ observers: executions=7
//~ cs: executions=7
//~ optimal-cs: executions=7
//~ optimal-cs-observers: executions=7
//~ constrained: executions=7
//~ quasi:optimal: executions=7
//~ violation: assertion in reader#2 at 214:5
#define BUG
#include "../../verified/c/latched-tree.c"
