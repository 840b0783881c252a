// The parallel sort of the verified programs; parts are counted down by relaxed operations, so
// who merges does not know what the thief has written.
//~ flags: -- 3 1 2
//~ skip: none
//~ dpor: executions=122
//~ source: executions=122
//~ optimal: executions=122
//~ observers: executions=122
//~ cs: executions=122
//~ optimal-cs: executions=122
//~ optimal-cs-observers: executions=122
//~ constrained: executions=122
//~ quasi:optimal: executions=122
//~ violation: data-race in main at 97:25
//~ violation: data-race in worker_run#1 at 97:25
//~ violation: data-race in main at 97:36
//~ violation: data-race in worker_run#1 at 97:36
//~ violation: data-race in main at 97:45
//~ violation: data-race in worker_run#1 at 97:45
//~ violation: data-race in main at 107:20
//~ violation: data-race in worker_run#1 at 107:20
//~ violation: data-race in main at 137:9
//~ violation: data-race in worker_run#1 at 137:9
#define BUG
#include "../../verified/c/merge-sort-stealing.c"
