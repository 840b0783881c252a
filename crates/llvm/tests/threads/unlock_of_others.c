// verified
// Who gives back an error-checking mutex that it does not hold is told so, whoever takes it afterwards.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static void *run(void *unused) {
  assert(pthread_mutex_unlock(&m) == EPERM);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
