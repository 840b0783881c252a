// The grid; who waits at the barrier looks at how many wait, and not at the generation.
//~ skip: none
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: deadlock
#define BUG
#include "../../verified/c/grid-phases.c"
