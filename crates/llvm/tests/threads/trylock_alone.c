// violation Livelock
// Nobody else is there who could give it back.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  while (pthread_mutex_trylock(&m) != 0) {
  }
  return 0;
}
