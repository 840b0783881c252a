// verified 1
// main ends as a thread; the program goes on.
#include <assert.h>
#include <pthread.h>
int x;
static void *run(void *other) {
  pthread_join(*(pthread_t *)other, 0);
  assert(x == 1);
  return 0;
}
pthread_t main_thread;
int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, 0, run, &main_thread);
  x = 1;
  pthread_exit(0);
}
