// The set; who removes a node does not mark it.
//~ skip: none
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
//~ violation: assertion in main at 138:5
#define BUG
#include "../../verified/c/harris-list.c"
