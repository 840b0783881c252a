// verified
// The program ends while a thread still runs: that is no deadlock.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, run, 0);
  exit(0);
}
