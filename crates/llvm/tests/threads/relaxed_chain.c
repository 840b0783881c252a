// verified
/* What is acquired in one place is passed on by a fence in another. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int first, second;
static void *writer(void *a) {
  data = 1;
  atomic_store_explicit(&first, 1, memory_order_release);
  return a;
}
static void *relay(void *a) {
  if (atomic_load_explicit(&first, memory_order_acquire)) {
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
  }
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, relay, 0);
  if (atomic_load_explicit(&second, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_seq_cst);
    assert(data == 1);
  }
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
