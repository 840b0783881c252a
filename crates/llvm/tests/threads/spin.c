// verified 6
#include <assert.h>
#include <pthread.h>
pthread_spinlock_t lock;
int x;
static void *run(void *unused) {
  pthread_spin_lock(&lock);
  x++;
  pthread_spin_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t t[3];
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x == 3);
  pthread_spin_destroy(&lock);
  return 0;
}
