// The cache; what goes is the oldest entry, pinned or not.
//~ skip: none
//~ dpor: executions=1998
//~ source: executions=1998
//~ optimal: executions=1998
//~ observers: executions=1998
//~ cs: executions=1998
//~ optimal-cs: executions=1998
//~ optimal-cs-observers: executions=1998
//~ constrained: executions=1998
//~ quasi:optimal: executions=1998
//~ violation: data-race in reader#1 at 135:18
//~ violation: data-race in reader#2 at 135:18
//~ violation: use-after-free in reader#1 at 135:18
//~ violation: use-after-free in reader#2 at 135:18
//~ violation: assertion in reader#1 at 136:5
//~ violation: assertion in reader#2 at 136:5
//~ violation: assertion in reader#1 at 142:5
//~ violation: assertion in reader#2 at 142:5
//~ violation: data-race in reader#1 at 142:5
//~ violation: data-race in reader#2 at 142:5
//~ violation: use-after-free in reader#1 at 142:5
//~ violation: use-after-free in reader#2 at 142:5
//~ violation: assertion in reader#1 at 143:5
//~ violation: assertion in reader#2 at 143:5
//~ violation: data-race in reader#1 at 143:5
//~ violation: data-race in reader#2 at 143:5
//~ violation: use-after-free in reader#1 at 143:5
//~ violation: use-after-free in reader#2 at 143:5
//~ violation: assertion in reader#1 at 144:5
//~ violation: assertion in reader#2 at 144:5
//~ violation: data-race in reader#1 at 144:5
//~ violation: data-race in reader#2 at 144:5
//~ violation: use-after-free in reader#1 at 144:5
//~ violation: use-after-free in reader#2 at 144:5
#define BUG
#include "../../verified/c/pinned-cache.c"
