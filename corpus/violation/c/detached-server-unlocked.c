// The server; handlers count without the lock.
//~ skip: none
//~ dpor: executions=211 blocked=48
//~ source: executions=211 blocked=47
//~ optimal: executions=211
//~ observers: executions=211
//~ cs: executions=211 blocked=47
//~ optimal-cs: executions=211
//~ optimal-cs-observers: executions=211
//~ constrained: executions=211 blocked=47
//~ quasi:optimal: executions=211
//~ violation: data-race in handler#1 at 74:17
//~ violation: data-race in handler#2 at 74:17
//~ violation: data-race in handler#1 at 75:9
//~ violation: data-race in handler#2 at 75:9
//~ violation: data-race in main at 91:18
//~ violation: data-race in main at 102:19
//~ violation: assertion in main at 110:5
//~ violation: data-race in main at 110:5
//~ violation: assertion in main at 120:5
//~ violation: data-race in main at 120:5
//~ violation: assertion in main at 122:9
//~ violation: data-race in main at 122:9
//~ violation: deadlock
#define BUG
#include "../../verified/c/detached-server.c"
