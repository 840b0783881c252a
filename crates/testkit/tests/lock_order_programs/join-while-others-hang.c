// `main` waits for the end of a thread that wants the lock which `main` holds. Another thread hangs
// before that lock as well, and is no part of the circle.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *visit(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_mutex_lock(&lock);
  pthread_create(&one, NULL, visit, NULL);
  pthread_create(&other, NULL, visit, NULL);
  pthread_join(one, NULL);
  pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
  return 0;
}
