// The pipeline of the verified programs; a poison pill does not wait for a free place,
// and the message that is there is lost.
//~ flags: -- 1
//~ skip: none
#define BUG
#include "../../verified/c/pipeline.c"
