// The pool with futures of the verified programs; who gives a future back looks at it once more,
// when the last user may have freed it.
//~ flags: -- s3 c
//~ skip: none
#define BUG
#include "../../verified/c/futures.c"
