// verified
/* A block that nobody has written to is published by a relaxed store: who finds it may write to it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) box;
static void *maker(void *a) {
  atomic_store_explicit(&box, malloc(sizeof(int)), memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, maker, 0);
  int *found = atomic_load_explicit(&box, memory_order_relaxed);
  if (found) *found = 1;
  pthread_join(t, 0);
  free(box);
  return 0;
}
