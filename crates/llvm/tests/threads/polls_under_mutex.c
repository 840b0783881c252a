// verified
// Two threads look under a mutex, again and again, whether they may go on: they wait.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int ready, data;
static int look(void) {
  pthread_mutex_lock(&m);
  int seen = ready;
  pthread_mutex_unlock(&m);
  return seen;
}
static int look_too(void) {
  pthread_rwlock_rdlock(&rw);
  int seen = data;
  pthread_rwlock_unlock(&rw);
  return seen;
}
static void *run(void *unused) {
  while (!look()) {
  }
  while (!look_too()) {
  }
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  pthread_rwlock_wrlock(&rw);
  data = 7;
  pthread_rwlock_unlock(&rw);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
