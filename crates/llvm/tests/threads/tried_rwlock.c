// violation DataRace
/* A read-write lock that is found taken orders nothing. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;
static void *taker(void *a) {
  data = 1;
  pthread_rwlock_rdlock(&lock);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, taker, 0);
  int seen = 0;
  if (pthread_rwlock_trywrlock(&lock)) seen = data;
  else pthread_rwlock_unlock(&lock);
  pthread_join(t, 0);
  return seen > 1;
}
