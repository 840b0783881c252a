// verified
/* An attempt that succeeds synchronises like any other. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *writer(void *a) {
  pthread_mutex_lock(&mutex);
  data = 1;
  pthread_mutex_unlock(&mutex);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (pthread_mutex_trylock(&mutex) == 0) {
    assert(data <= 1);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(t, 0);
  return 0;
}
