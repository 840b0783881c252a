// The broker of the verified programs; who publishes does not count as a user of the subscriptions
// it calls.
//~ flags: -- t/a @t/a
//~ skip: none
//~ dpor: executions=15
//~ source: executions=15
//~ optimal: executions=15
//~ observers: executions=15
//~ cs: executions=15
//~ optimal-cs: executions=15
//~ optimal-cs-observers: executions=15
//~ constrained: executions=15
//~ quasi:optimal: executions=15
//~ violation: data-race in visitor#2 at 64:5
//~ violation: use-after-free in sensor#1 at 133:14
//~ violation: use-after-free in sensor#1 at 134:16
//~ violation: use-after-free in sensor#1 at 156:26
//~ violation: misuse in sensor#1 at 157:5
//~ violation: use-after-free in sensor#1 at 157:5
//~ violation: data-race in sensor#1 at 158:13
//~ violation: lock in visitor#2 at 165:5
#define BUG
#include "../../verified/c/broker.c"
