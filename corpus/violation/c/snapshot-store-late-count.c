// The store of the verified programs; a reader counts itself as a user of the version after it gave
// the lock back.
//~ flags: -- a=1 ?
//~ skip: none
//~ dpor: executions=72 blocked=3
//~ source: executions=72 blocked=3
//~ optimal: executions=72
//~ observers: executions=72
//~ cs: executions=72 blocked=3
//~ optimal-cs: executions=72
//~ optimal-cs-observers: executions=72
//~ constrained: executions=72 blocked=3
//~ quasi:optimal: executions=72
//~ violation: use-after-free in reader#2 at 59:23
//~ violation: use-after-free in reader#2 at 60:31
//~ violation: use-after-free in reader#2 at 83:9
//~ violation: double-free in reader#2 at 83:46
//~ violation: double-free in writer#1 at 83:46
//~ violation: use-after-free in reader#2 at 118:5
//~ violation: use-after-free in reader#2 at 216:9
//~ violation: use-after-free in reader#2 at 217:9
//~ violation: use-after-free in reader#2 at 218:19
//~ violation: use-after-free in reader#2 at 219:35
#define BUG
#include "../../verified/c/snapshot-store.c"
