// verified 2
// Structures that no instruction accesses at once are loaded and stored in one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
typedef struct {
  long a, b, c;
} Triple;
_Atomic Triple shared;
static void *run(void *unused) {
  Triple new = {1, 1, 1};
  atomic_store(&shared, new);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  Triple seen = atomic_load(&shared);
  assert(seen.a == seen.b && seen.b == seen.c);
  pthread_join(t, 0);
  Triple one = {1, 1, 1}, two = {2, 2, 2};
  assert(atomic_compare_exchange_strong(&shared, &one, two));
  assert(!atomic_compare_exchange_strong(&shared, &one, two) && one.c == 2);
  Triple old = atomic_exchange(&shared, one);
  assert(old.a == 2);
  return 0;
}
