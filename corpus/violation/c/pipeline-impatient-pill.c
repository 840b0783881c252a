// The pipeline of the verified programs; a poison pill does not wait for a free place,
// and the message that is there is lost.
//~ flags: -- 1
//~ skip: none
//~ dpor: executions=120 blocked=8
//~ source: executions=120 blocked=8
//~ optimal: executions=120
//~ observers: executions=120
//~ cs: executions=120 blocked=8
//~ optimal-cs: executions=120
//~ optimal-cs-observers: executions=120
//~ constrained: executions=120 blocked=8
//~ quasi:optimal: executions=120
//~ violation: assertion in main at 78:5
#define BUG
#include "../../verified/c/pipeline.c"
