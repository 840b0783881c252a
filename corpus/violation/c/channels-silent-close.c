// The channels; who closes one tells nobody.
//~ skip: none
//~ dpor: executions=7680 blocked=558
//~ source: executions=7680 blocked=558
//~ optimal: executions=7680
//~ observers: executions=7680
//~ cs: executions=7680 blocked=558
//~ optimal-cs: executions=7680
//~ optimal-cs-observers: executions=7680
//~ constrained: executions=7680 blocked=558
//~ quasi:optimal: executions=7680
//~ violation: deadlock
#define BUG
#include "../../verified/c/channels.c"
