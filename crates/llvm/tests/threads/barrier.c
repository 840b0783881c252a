// verified 6
// Three threads come in any order; one of them is the serial one; nobody goes on before all have come.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t barrier;
atomic_int serial;
int come[3];
static void *run(void *number) {
  come[(long)number] = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
  assert(come[0] && come[1] && come[2]);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&barrier, 0, 3);
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(serial == 1);
  pthread_barrier_destroy(&barrier);
  return 0;
}
