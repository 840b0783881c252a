// verified 2
// There is one to be had, or there is not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
sem_t s;
static void *run(void *unused) {
  sem_post(&s);
  return unused;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, run, 0);
  int result = sem_trywait(&s);
  assert(result == 0 || (result == -1 && errno == EAGAIN));
  pthread_join(t, 0);
  return 0;
}
