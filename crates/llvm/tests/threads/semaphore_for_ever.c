// violation Livelock
// Nobody gives the semaphore back.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
sem_t s;
static void *run(void *unused) {
  struct timespec time = {0, 100};
  while (sem_timedwait(&s, &time)) {
  }
  return unused;
}
int main(void) {
  pthread_t t[2];
  sem_init(&s, 0, 1);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
