// violation Livelock
// The reader keeps the lock.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *reads(void *unused) {
  pthread_rwlock_rdlock(&l);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  while (pthread_rwlock_trywrlock(&l)) {
  }
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
  return 0;
}
