// violation DataRace
/* A relaxed store, unlike a read-modify-write, ends the release sequence. */
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *writer(void *a) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return a;
}
static void *other(void *a) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, other, 0);
  int seen = atomic_load_explicit(&flag, memory_order_acquire) == 2 ? data : 0;
  pthread_join(t, 0);
  pthread_join(u, 0);
  return seen > 1;
}
