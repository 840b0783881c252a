// violation Unmodelled
// A thread ends where a clean-up handler is pushed.
#include <pthread.h>
static void handle(void *number) { ++*(int *)number; }
static void *run(void *number) {
  pthread_cleanup_push(handle, number);
  pthread_exit(0);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t t;
  int number = 0;
  pthread_create(&t, 0, run, &number);
  pthread_join(t, 0);
  return number;
}
