// verified
// What an atomic section reads is waited for too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int a, b;
atomic_int stop;
static void *run(void *unused) {
  for (;;) {
    __VERIFIER_atomic_begin();
    int both = a && b;
    __VERIFIER_atomic_end();
    if (both || stop) return unused;
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  __VERIFIER_atomic_begin();
  a = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  b = 1;
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  return 0;
}
