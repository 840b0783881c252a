/* The part of the C library that is plain computation, as one module. See `cargo xtask runtime`. */

#include "atomic.c"
#include "convert.c"
#include "ctype.c"
#include "cxx.c"
#include "math.c"
#include "memory.c"
#include "pthread.c"
#include "stdio.c"
#include "stdlib.c"
#include "string.c"
#include "system.c"
#include "threads.c"
