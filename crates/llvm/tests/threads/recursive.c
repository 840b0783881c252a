// verified 2
// A recursive mutex, an error-checking one, and what they give.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t recursive, checking;
static void *run(void *unused) {
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  assert(pthread_mutex_trylock(&recursive) == 0);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  pthread_mutexattr_destroy(&attributes);
  assert(pthread_mutex_unlock(&checking) == EPERM);
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_trylock(&checking) == EBUSY);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_destroy(&checking) == 0);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
