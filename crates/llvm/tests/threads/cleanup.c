// verified 1
// Clean-up handlers run where they are popped.
#include <assert.h>
#include <pthread.h>
static void handle(void *number) { ++*(int *)number; }
static void *run(void *number) {
  pthread_cleanup_push(handle, number);
  ++*(int *)number;
  pthread_cleanup_pop(1);
  pthread_cleanup_push(handle, number);
  pthread_cleanup_pop(0);
  return 0;
}
int main(void) {
  pthread_t t;
  int number = 0;
  pthread_create(&t, 0, run, &number);
  pthread_join(t, 0);
  assert(number == 2);
  return 0;
}
