// verified 3
// A writer that does not wait fails while there is a reader, and succeeds before and after.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *reads(void *unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  int result = pthread_rwlock_trywrlock(&lock);
  assert(result == 0 || result == EBUSY);
  if (result == 0) {
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(t, 0);
  return 0;
}
