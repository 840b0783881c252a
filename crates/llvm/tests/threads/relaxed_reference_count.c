// verified
/* References are given up by a release; the last one acquires by a fence. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct thing {
  atomic_int count;
  int value;
};
static void drop(struct thing *thing) {
  if (atomic_fetch_sub_explicit(&thing->count, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    free(thing);
  }
}
static void *user(void *a) {
  struct thing *thing = a;
  int seen = thing->value;
  drop(thing);
  return seen == 1 ? a : 0;
}
int main(void) {
  pthread_t t, u;
  struct thing *thing = malloc(sizeof *thing);
  atomic_init(&thing->count, 2);
  thing->value = 1;
  pthread_create(&t, 0, user, thing);
  pthread_create(&u, 0, user, thing);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
