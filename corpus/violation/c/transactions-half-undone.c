// The transactions; what is given up is not undone.
//~ skip: none
//~ dpor: executions=7
//~ source: executions=7
//~ optimal: executions=7
//~ observers: executions=7
//~ cs: executions=7
//~ optimal-cs: executions=7
//~ optimal-cs-observers: executions=7
//~ constrained: executions=7
//~ quasi:optimal: executions=7
//~ violation: assertion in main at 158:5
#define BUG
#include "../../verified/c/transactions.c"
