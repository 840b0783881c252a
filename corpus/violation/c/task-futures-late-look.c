// The pool; whoever releases a future looks at its count after it has given the lock back.
//~ flags: -D WORKERS=1 -D TASKS=1
//~ skip: none
//~ dpor: executions=372
//~ source: executions=372
//~ optimal: executions=372
//~ observers: executions=372
//~ cs: executions=372
//~ optimal-cs: executions=372
//~ optimal-cs-observers: executions=372
//~ constrained: executions=372
//~ quasi:optimal: executions=372
//~ violation: data-race in main at 74:21
//~ violation: data-race in worker#1 at 74:21
//~ violation: use-after-free in main at 77:17
//~ violation: use-after-free in worker#1 at 77:17
//~ violation: misuse in main at 82:9
//~ violation: misuse in worker#1 at 82:9
//~ violation: use-after-free in main at 82:9
//~ violation: use-after-free in worker#1 at 82:9
//~ violation: lock in main at 83:9
//~ violation: lock in worker#1 at 83:9
#define BUG
#include "../../verified/c/task-futures.c"
