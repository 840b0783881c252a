// verified
// A wait with a time limit ends both ways.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
static void *set(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  struct timespec time = {0, 0};
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  int result = 0;
  if (!ready) result = pthread_cond_timedwait(&c, &m, &time);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
