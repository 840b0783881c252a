// verified 1
// Two threads, two rounds: nobody can tell in which order they come.
#include <pthread.h>
pthread_barrier_t barrier;
static void *run(void *unused) {
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
