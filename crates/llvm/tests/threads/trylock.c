// verified 3
// Before the other has it, while it has it, after.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int result = pthread_mutex_trylock(&m);
  assert(result == 0 || result == EBUSY);
  if (result == 0) pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
