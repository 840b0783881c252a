// verified 4
// A writer that tries until it succeeds waits for readers as one that locks does.
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
static void *reads(void *unused) {
  pthread_rwlock_rdlock(&l);
  int seen = x;
  pthread_rwlock_unlock(&l);
  assert(seen == 0 || seen == 1);
  return unused;
}
static void *writes(void *unused) {
  while (pthread_rwlock_trywrlock(&l)) {
  }
  x++;
  pthread_rwlock_unlock(&l);
  return unused;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, writes, 0);
  pthread_create(&t[1], 0, reads, 0);
  pthread_create(&t[2], 0, reads, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x == 1);
  return 0;
}
