// violation Uninitialised
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  pthread_mutex_lock(m);
  return 0;
}
