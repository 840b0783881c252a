// The job list with hazard pointers of the verified programs; a node is not looked for again after
// it was announced, so it may have been freed in between.
//~ flags: -- 1 1
//~ skip: none
//~ dpor: executions=3062
//~ source: executions=3062
//~ optimal: executions=3062
//~ observers: executions=3062
//~ cs: executions=3062
//~ optimal-cs: executions=3062
//~ optimal-cs-observers: executions=3062
//~ constrained: executions=3062
//~ quasi:optimal: executions=3062
//~ violation: data-race in worker#1 at 140:33
//~ violation: data-race in worker#2 at 140:33
//~ violation: use-after-free in worker#1 at 140:33
//~ violation: use-after-free in worker#2 at 140:33
#define BUG
#include "../../verified/c/hazard-pointers.c"
