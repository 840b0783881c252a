// verified 1
// Readers of a read-write lock do not mind each other.
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;
static void *run(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int seen = x;
  pthread_rwlock_unlock(&lock);
  return seen ? unused : 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
