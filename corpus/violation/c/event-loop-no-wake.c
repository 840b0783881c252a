// The event loop of the verified programs; a promised event does not wake the loop.
//~ flags: -- ab
//~ skip: none
//~ dpor: executions=52
//~ source: executions=52
//~ optimal: executions=52
//~ observers: executions=52
//~ cs: executions=52
//~ optimal-cs: executions=52
//~ optimal-cs-observers: executions=52
//~ constrained: executions=52
//~ quasi:optimal: executions=52
//~ violation: deadlock
#define BUG
#include "../../verified/c/event-loop.c"
