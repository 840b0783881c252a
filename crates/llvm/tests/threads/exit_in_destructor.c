// verified
// A destructor ends its thread once more: what is left to be destroyed is, and the last result counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_key_t first, second;
atomic_int destroyed;
static void leave(void *value) {
  destroyed++;
  pthread_exit(value);
}
static void count(void *value) {
  (void)value;
  destroyed++;
}
static void *run(void *value) {
  pthread_setspecific(first, value);
  pthread_setspecific(second, value);
  return 0;
}
static void *ends(void *value) {
  run(value);
  pthread_exit(0);
}
static void *without(void *value) { pthread_exit(value); }
int main(void) {
  pthread_t t[3];
  void *result;
  pthread_key_create(&first, leave);
  pthread_key_create(&second, count);
  pthread_create(&t[0], 0, run, &first);
  pthread_create(&t[1], 0, ends, &second);
  pthread_create(&t[2], 0, without, &destroyed);
  pthread_join(t[0], &result);
  assert(result == &first);
  pthread_join(t[1], &result);
  assert(result == &second);
  pthread_join(t[2], &result);
  assert(result == &destroyed);
  assert(destroyed == 4);
  return 0;
}
