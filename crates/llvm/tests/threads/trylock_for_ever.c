// violation Livelock
// The mutex is never given back.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
  while (pthread_mutex_trylock(&m) != 0) {
  }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
