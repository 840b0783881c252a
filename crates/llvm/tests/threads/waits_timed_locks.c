// verified
/* Loops of locks with time limits wait. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int data;
static void *other(void *a) {
  pthread_mutex_lock(&mutex);
  data++;
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  sem_post(&semaphore);
  return a;
}
int main(void) {
  pthread_t t;
  struct timespec time = {1, 0};
  sem_init(&semaphore, 0, 0);
  pthread_create(&t, 0, other, 0);
  while (pthread_mutex_timedlock(&mutex, &time)) {
  }
  data++;
  pthread_mutex_unlock(&mutex);
  while (pthread_rwlock_timedwrlock(&lock, &time)) {
  }
  pthread_rwlock_unlock(&lock);
  while (sem_timedwait(&semaphore, &time)) {
  }
  pthread_join(t, 0);
  return 0;
}
