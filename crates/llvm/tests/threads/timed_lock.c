// violation Assertion
// A lock with a time limit can be had too late.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  struct timespec time = {0, 0};
  pthread_create(&t, 0, run, 0);
  assert(pthread_mutex_timedlock(&m, &time) == 0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
