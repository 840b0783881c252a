// verified 1
// A detached thread; the program waits for it by other means.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int x;
static void *run(void *unused) {
  x = 1;
  sem_post(&s);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  sem_init(&s, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, run, 0);
  pthread_attr_destroy(&attributes);
  sem_wait(&s);
  assert(x == 1);
  return 0;
}
