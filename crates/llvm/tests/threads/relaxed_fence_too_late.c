// violation DataRace
/* What is written after the fence is not released by it. */
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *writer(void *a) {
  atomic_thread_fence(memory_order_release);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int seen = atomic_load_explicit(&flag, memory_order_acquire) ? data : 0;
  pthread_join(t, 0);
  return seen > 1;
}
