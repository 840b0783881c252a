// violation DoubleFree
#include <pthread.h>
#include <stdlib.h>
int *block;
static void *run(void *unused) {
  free(block);
  return unused;
}
int main(void) {
  pthread_t t;
  block = malloc(4);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  free(block);
  return 0;
}
