// The references; an upgrade looks at the count and adds one, in two steps.
//~ flags: --leaks -D OBSERVERS=1
//~ skip: none
//~ dpor: executions=65
//~ source: executions=65
//~ optimal: executions=65
//~ observers: executions=65
//~ cs: executions=65
//~ optimal-cs: executions=65
//~ optimal-cs-observers: executions=65
//~ constrained: executions=65
//~ quasi:optimal: executions=65
//~ violation: use-after-free in main at 66:9
//~ violation: use-after-free in observer#1 at 66:9
//~ violation: double-free in main at 81:5
//~ violation: double-free in observer#1 at 81:5
//~ violation: data-race in main at 81:18
//~ violation: data-race in observer#1 at 81:18
//~ violation: use-after-free in main at 81:18
//~ violation: use-after-free in main at 82:18
//~ violation: null-pointer in observer#1 at 116:21
//~ violation: use-after-free in observer#1 at 116:21
//~ violation: data-race in observer#1 at 116:36
//~ violation: assertion in main at 139:5
#define BUG
#include "../../verified/c/weak-references.c"
