// verified 1
// Nobody waits for a time that is none; who need not wait is not asked.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  sem_t s;
  struct timespec time = {1, 1000000000};
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&c, &m, &time) == EINVAL);
  pthread_mutex_unlock(&m);
  sem_init(&s, 0, 1);
  assert(sem_timedwait(&s, &time) == 0);
  assert(sem_timedwait(&s, &time) == -1 && errno == EINVAL);
  return 0;
}
