// What is done once takes a lock; another thread asks for it to be done while it holds that lock.
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void prepare(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

void prepare_nothing(void) {}

void *first(void *unused) {
  pthread_once(&once, prepare);
  return unused;
}

void *second(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_once(&once, prepare_nothing);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
