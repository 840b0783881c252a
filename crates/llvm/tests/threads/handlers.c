// violation Abort
// Handlers run at the end, the last first.
#include <stdlib.h>
int x;
static void first(void) { x = 1; }
static void last(void) {
  if (x == 1) abort();
}
int main(void) {
  atexit(last);
  atexit(first);
  return 0;
}
