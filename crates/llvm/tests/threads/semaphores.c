// verified 6
// A semaphore as a mutex: three threads.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int x;
static void *run(void *unused) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return unused;
}
int main(void) {
  pthread_t t[3];
  sem_init(&s, 0, 1);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  int value;
  assert(x == 3 && sem_getvalue(&s, &value) == 0 && value == 1);
  sem_destroy(&s);
  return 0;
}
