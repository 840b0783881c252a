// `main` returns while it holds a lock that another thread waits for: nobody waits for ever. Two
// other locks are taken in both orders, by one thread after the other.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int turn;

void *visit(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

void *cross(void *unused) {
  pthread_mutex_t *first = turn ? &b : &a, *second = turn ? &a : &b;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return unused;
}

int main(void) {
  pthread_t visitor, one, other;
  pthread_create(&one, NULL, cross, NULL);
  pthread_create(&other, NULL, cross, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  pthread_mutex_lock(&lock);
  pthread_create(&visitor, NULL, visit, NULL);
  return 0;
}
