// verified 6
// Three atomic blocks, one step each.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;
static void *run(void *unused) {
  __VERIFIER_atomic_begin();
  x++;
  y += x;
  __VERIFIER_atomic_end();
  return unused;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x == 3 && y == 6);
  return 0;
}
