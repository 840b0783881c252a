// verified
/* A loop that looks under a semaphore waits. */
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static int data;
static void *setter(void *a) {
  sem_wait(&semaphore);
  data = 1;
  sem_post(&semaphore);
  return a;
}
int main(void) {
  pthread_t t;
  int seen = 0;
  sem_init(&semaphore, 0, 1);
  pthread_create(&t, 0, setter, 0);
  while (!seen) {
    sem_wait(&semaphore);
    seen = data;
    sem_post(&semaphore);
  }
  pthread_join(t, 0);
  return 0;
}
