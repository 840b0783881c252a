// verified
// Who tries, and looks at something else in between, waits for both.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int stop;
int x;
static void *run(void *unused) {
  while (pthread_mutex_trylock(&m) != 0)
    if (stop) return unused;
  x++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
