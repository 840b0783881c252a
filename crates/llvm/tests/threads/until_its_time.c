// verified
// Waits for a second, ten times, and then for nothing any more: each wait can be the one in which the signal comes.
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
  time_t end = time(0) + 10;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  while (!ready && time(0) < end) {
    struct timespec until = {time(0) + 1, 0};
    pthread_cond_timedwait(&c, &m, &until);
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
