// violation UseAfterFree
// The block that realloc gave back is still used.
#include <stdlib.h>
int main(void) {
  int *old = calloc(1, sizeof *old);
  int *new = realloc(old, 64);
  *old = 1;
  free(new);
  return 0;
}
