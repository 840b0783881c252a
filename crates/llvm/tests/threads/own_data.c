// verified
// Values that belong to threads, and their destructors.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_key_t key;
atomic_int destroyed;
static void destroy(void *value) {
  destroyed += *(int *)value;
  free(value);
}
static void *run(void *number) {
  assert(pthread_getspecific(key) == 0);
  int *own = malloc(sizeof *own);
  *own = (int)(long)number;
  pthread_setspecific(key, own);
  assert(*(int *)pthread_getspecific(key) == (int)(long)number);
  if ((long)number == 1) pthread_exit((void *)7);
  return (void *)8;
}
int main(void) {
  pthread_t t[2];
  void *result;
  assert(pthread_key_create(&key, destroy) == 0);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)(i + 1));
  pthread_join(t[0], &result);
  assert(result == (void *)7);
  pthread_join(t[1], &result);
  assert(result == (void *)8);
  assert(destroyed == 3);
  pthread_key_delete(key);
  return 0;
}
