// verified 2
// A loop that tries until it succeeds waits, like one that locks.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *run(void *unused) {
  while (pthread_mutex_trylock(&m) != 0) sched_yield();
  x++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(x == 2);
  return 0;
}
