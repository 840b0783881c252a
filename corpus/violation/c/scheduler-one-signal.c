// The scheduler of the verified programs; the end of a job wakes one of two who wait for different
// things.
//~ flags: -D PLACES=2 -- a
//~ skip: none
//~ dpor: executions=54 blocked=3
//~ source: executions=54 blocked=3
//~ optimal: executions=54
//~ observers: executions=54
//~ cs: executions=54 blocked=3
//~ optimal-cs: executions=54
//~ optimal-cs-observers: executions=54
//~ constrained: executions=54 blocked=3
//~ quasi:optimal: executions=54
//~ violation: deadlock
#define BUG
#include "../../verified/c/scheduler.c"
