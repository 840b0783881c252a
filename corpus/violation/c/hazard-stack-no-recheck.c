// The stack; who protects its head does not look whether it still is the head.
//~ flags: --leaks
//~ skip: none
//~ dpor: executions=39
//~ source: executions=39
//~ optimal: executions=39
//~ observers: executions=39
//~ cs: executions=39
//~ optimal-cs: executions=39
//~ optimal-cs-observers: executions=39
//~ constrained: executions=39
//~ quasi:optimal: executions=39
//~ violation: use-after-free in popper#1 at 89:35
//~ violation: use-after-free in popper#2 at 89:35
#define BUG
#include "../../verified/c/hazard-stack.c"
