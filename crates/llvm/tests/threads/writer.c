// verified 4
// Two readers and a writer: each reader comes before or after the writer.
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t lock;
int x, y;
static void *reads(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
  pthread_rwlock_unlock(&lock);
  return unused;
}
static void *writes(void *unused) {
  pthread_rwlock_wrlock(&lock);
  x++;
  y++;
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_rwlock_init(&lock, 0);
  pthread_t t[3];
  pthread_create(&t[0], 0, reads, 0);
  pthread_create(&t[1], 0, reads, 0);
  pthread_create(&t[2], 0, writes, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  pthread_rwlock_destroy(&lock);
  return 0;
}
