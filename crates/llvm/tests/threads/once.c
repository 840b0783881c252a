// verified 3
// Three threads; whoever comes first does it, and the others wait for that.
#include <assert.h>
#include <pthread.h>
pthread_once_t control = PTHREAD_ONCE_INIT;
int done;
static void initialise(void) { done++; }
static void *run(void *unused) {
  pthread_once(&control, initialise);
  assert(done == 1);
  return unused;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(done == 1);
  return 0;
}
