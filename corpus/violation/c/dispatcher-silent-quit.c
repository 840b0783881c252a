// The dispatcher; nobody is told of the last event.
//~ skip: none
//~ dpor: executions=40
//~ source: executions=40
//~ optimal: executions=40
//~ observers: executions=40
//~ cs: executions=40
//~ optimal-cs: executions=40
//~ optimal-cs-observers: executions=40
//~ constrained: executions=40
//~ quasi:optimal: executions=40
//~ violation: deadlock
#define BUG
#include "../../verified/c/dispatcher.c"
