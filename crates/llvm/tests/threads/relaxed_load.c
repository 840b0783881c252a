// violation DataRace
/* The store releases; the load does not acquire. */
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *writer(void *a) {
  data = 1;
  flag = 1;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int seen = atomic_load_explicit(&flag, memory_order_relaxed) ? data : 0;
  pthread_join(t, 0);
  return seen > 1;
}
