// verified 2
// main writes before the thread reads, or after it; the end of the program comes last.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x;
static void *run(void *unused) {
  (void)unused;
  exit(x > 1);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  x = 1;
  pthread_join(t, 0);
  abort();
}
