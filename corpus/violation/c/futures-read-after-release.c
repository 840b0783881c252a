// The pool with futures of the verified programs; who gives a future back looks at it once more,
// when the last user may have freed it.
//~ flags: -- s3 c
//~ skip: none
//~ dpor: executions=8432 blocked=180
//~ source: executions=8432 blocked=180
//~ optimal: executions=8432
//~ observers: executions=8432
//~ cs: executions=8432 blocked=180
//~ optimal-cs: executions=8432
//~ optimal-cs-observers: executions=8432
//~ constrained: executions=8432 blocked=180
//~ quasi:optimal: executions=8432
//~ violation: use-after-free in main at 91:16
//~ violation: use-after-free in worker#1 at 91:16
//~ violation: use-after-free in worker#2 at 91:16
#define BUG
#include "../../verified/c/futures.c"
