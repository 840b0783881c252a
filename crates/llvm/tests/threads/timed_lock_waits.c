// verified 6
// A loop that waits for a mutex again and again waits; that time passes, and sleeping, change nothing.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *run(void *unused) {
  struct timespec time = {0, 100};
  while (pthread_mutex_timedlock(&m, &time) == ETIMEDOUT) nanosleep(&time, 0);
  x++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(x == 2);
  return 0;
}
