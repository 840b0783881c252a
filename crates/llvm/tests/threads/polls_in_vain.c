// violation Livelock
// Nobody will ever say that it is ready.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ready;
static void *run(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m);
    int seen = ready;
    pthread_mutex_unlock(&m);
    if (seen) return unused;
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
