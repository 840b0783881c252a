// violation DataRace
/* Nothing orders the last look at a block before its end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *block;
static atomic_int done;
static void *reader(void *a) {
  int seen = *block;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return seen == 3 ? a : 0;
}
int main(void) {
  pthread_t t;
  block = malloc(sizeof *block);
  *block = 3;
  pthread_create(&t, 0, reader, 0);
  if (atomic_load_explicit(&done, memory_order_acquire)) free(block);
  pthread_join(t, 0);
  return 0;
}
