// verified
// A loop that tries to take from a semaphore waits until somebody has given.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t s, t;
int x;
static void *run(void *unused) {
  while (sem_trywait(&s) != 0) {
  }
  assert(x == 1);
  int left = 0;
  do
    sem_getvalue(&t, &left);
  while (left == 0);
  return unused;
}
int main(void) {
  pthread_t thread;
  sem_init(&s, 0, 0);
  sem_init(&t, 0, 0);
  pthread_create(&thread, 0, run, 0);
  x = 1;
  sem_post(&s);
  sem_post(&t);
  pthread_join(thread, 0);
  return 0;
}
