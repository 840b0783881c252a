// The timers; the one that the wait was for may have been cancelled.
//~ skip: none
//~ dpor: executions=73
//~ source: executions=73
//~ optimal: executions=73
//~ observers: executions=73
//~ cs: executions=73
//~ optimal-cs: executions=73
//~ optimal-cs-observers: executions=73
//~ constrained: executions=73
//~ quasi:optimal: executions=73
//~ violation: null-pointer in timer_thread#1 at 90:30
#define BUG
#include "../../verified/c/timers.c"
