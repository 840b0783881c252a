// violation DataRace
/* A semaphore that is found empty orders nothing. */
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static int data;
static void *taker(void *a) {
  data = 1;
  sem_wait(&semaphore);
  return a;
}
int main(void) {
  pthread_t t;
  sem_init(&semaphore, 0, 1);
  pthread_create(&t, 0, taker, 0);
  int seen = 0;
  if (sem_trywait(&semaphore)) seen = data;
  else sem_post(&semaphore);
  pthread_join(t, 0);
  return seen > 1;
}
