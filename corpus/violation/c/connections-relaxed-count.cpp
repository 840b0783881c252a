// The server of the verified programs; users are counted down by relaxed operations, so what
// others did is not ordered before the object is deleted.
//~ flags: -- a b
//~ skip: none
//~ dpor: executions=144
//~ source: executions=144
//~ optimal: executions=144
//~ observers: executions=144
//~ cs: executions=144
//~ optimal-cs: executions=144
//~ optimal-cs-observers: executions=144
//~ constrained: executions=144
//~ quasi:optimal: executions=144
//~ violation: data-race in accept#1 at 58:13
//~ violation: data-race in run#1.1 at 58:13
//~ violation: data-race in run#1.2 at 58:13
//~ violation: data-race in run#1.1 at 168:16
//~ violation: data-race in run#1.2 at 168:16
//~ violation: data-race in run#1.1 at 169:9
//~ violation: data-race in run#1.2 at 169:9
#define BUG
#include "../../verified/c/connections.cpp"
