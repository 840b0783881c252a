// Two threads try in loops to get the lock that the other one holds: a livelock, and no cycle.
#include <pthread.h>
#include <sched.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
  pthread_mutex_lock(&a);
  while (pthread_mutex_trylock(&b) != 0)
    sched_yield();
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

void *second(void *unused) {
  pthread_mutex_lock(&b);
  while (pthread_mutex_trylock(&a) != 0)
    sched_yield();
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
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
