// The bank of the verified programs; a transfer takes the accounts in the order of its text.
//~ flags: -- 0>1:30 1>0:5
//~ skip: none
//~ dpor: executions=10
//~ source: executions=10
//~ optimal: executions=10
//~ observers: executions=10
//~ cs: executions=10
//~ optimal-cs: executions=10
//~ optimal-cs-observers: executions=10
//~ constrained: executions=10
//~ quasi:optimal: executions=10
//~ violation: deadlock
#define BUG
#include "../../verified/c/bank.c"
