// The event loop of the verified programs; a promised event does not wake the loop.
//~ flags: -- ab
//~ skip: none
#define BUG
#include "../../verified/c/event-loop.c"
