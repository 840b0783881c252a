// The log; lines are written to the ring without its lock.
//~ flags: --leaks
//~ skip: none
//~ dpor: executions=132
//~ source: executions=132
//~ optimal: executions=132
//~ observers: executions=132
//~ cs: executions=132
//~ optimal-cs: executions=132
//~ optimal-cs-observers: executions=132
//~ constrained: executions=132
//~ quasi:optimal: executions=132
//~ violation: data-race in worker#1 at 45:5
//~ violation: data-race in worker#1 at 45:17
//~ violation: data-race in worker#2 at 45:17
//~ violation: data-race in worker#1 at 46:12
//~ violation: data-race in worker#2 at 46:12
//~ violation: assertion in main at 130:5
//~ violation: assertion in main at 131:5
#define BUG
#include "../../verified/c/line-log.c"
