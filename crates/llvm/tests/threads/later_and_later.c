// incomplete
// Each wait is for a later time than the one before, so the rounds are not the same: after many of them the execution is cut.
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
static void *set(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  while (!ready) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec++;
    pthread_cond_timedwait(&c, &m, &time);
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
