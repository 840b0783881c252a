// violation Assertion
// A signal wakes any of those who wait.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, woken, order;
static void *waits(void *number) {
  pthread_mutex_lock(&m);
  waiting++;
  pthread_cond_wait(&c, &m);
  if (!woken++) order = (int)(long)number;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waits, (void *)1);
  pthread_create(&b, 0, waits, (void *)2);
  pthread_mutex_lock(&m);
  if (waiting == 2) {
    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(order == 1);
  }
  return 0;
}
