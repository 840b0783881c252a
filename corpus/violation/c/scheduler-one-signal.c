// The scheduler of the verified programs; the end of a job wakes one of two who wait for different
// things.
//~ flags: -D PLACES=2 -- a
//~ skip: none
#define BUG
#include "../../verified/c/scheduler.c"
