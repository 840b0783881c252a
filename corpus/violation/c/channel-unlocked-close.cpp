// The channel; it is closed without its lock.
//~ skip: none
//~ dpor: executions=48
//~ source: executions=48
//~ optimal: executions=48
//~ observers: executions=48
//~ cs: executions=48
//~ optimal-cs: executions=48
//~ optimal-cs-observers: executions=48
//~ constrained: executions=48
//~ quasi:optimal: executions=48
//~ violation: data-race in main at 59:17
//~ violation: deadlock
#define BUG
#include "../../verified/c/channel.cpp"
