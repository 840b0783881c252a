// verified
// Two threads make a key each.
#include <assert.h>
#include <pthread.h>
static void *run(void *unused) {
  pthread_key_t key;
  assert(pthread_key_create(&key, 0) == 0);
  pthread_setspecific(key, &key);
  assert(pthread_getspecific(key) == &key);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  return 0;
}
