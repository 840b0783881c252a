// A writer waits for two readers. One of them waits for the writer's mutex; the other one, which
// came last, only for a semaphore.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
sem_t written;

void *audit(void *unused) {
  pthread_rwlock_rdlock(&table);
  pthread_mutex_lock(&journal);
  pthread_mutex_unlock(&journal);
  pthread_rwlock_unlock(&table);
  return unused;
}

void *watch(void *unused) {
  pthread_rwlock_rdlock(&table);
  sem_wait(&written);
  pthread_rwlock_unlock(&table);
  return unused;
}

void *change(void *unused) {
  pthread_mutex_lock(&journal);
  pthread_rwlock_wrlock(&table);
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&journal);
  sem_post(&written);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&written, 0, 0);
  pthread_create(&threads[0], NULL, audit, NULL);
  pthread_create(&threads[1], NULL, watch, NULL);
  pthread_create(&threads[2], NULL, change, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
