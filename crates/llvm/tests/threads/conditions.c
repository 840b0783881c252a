// verified
// One producer, one consumer, a buffer of one place.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
int place, has;
static void *produce(void *unused) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (has) pthread_cond_wait(&empty, &m);
    place = i;
    has = 1;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&m);
  }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  int sum = 0;
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (!has) pthread_cond_wait(&full, &m);
    assert(place == i);
    sum += place;
    has = 0;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&m);
  }
  pthread_join(t, 0);
  assert(sum == 3);
  pthread_cond_destroy(&full);
  return 0;
}
