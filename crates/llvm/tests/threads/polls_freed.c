// violation UseAfterFree
// What it waits for is taken away.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct flags { atomic_int one, other; } *flags;
static void *run(void *unused) {
  while (!flags->one && !flags->other) {
  }
  return unused;
}
int main(void) {
  pthread_t t;
  flags = calloc(1, sizeof *flags);
  pthread_create(&t, 0, run, 0);
  free(flags);
  pthread_join(t, 0);
  return 0;
}
