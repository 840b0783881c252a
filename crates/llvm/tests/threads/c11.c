// verified 4
// threads.h: threads, mutexes, conditions, once, own data.
#include <assert.h>
#include <threads.h>
mtx_t m;
cnd_t c;
once_flag flag = ONCE_FLAG_INIT;
tss_t key;
int made, ready;
static void make(void) { made++; }
static int run(void *number) {
  call_once(&flag, make);
  tss_set(key, number);
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  thrd_yield();
  return tss_get(key) == number ? -5 : 0;
}
int main(void) {
  thrd_t t;
  int result;
  assert(mtx_init(&m, mtx_plain) == thrd_success && cnd_init(&c) == thrd_success);
  assert(tss_create(&key, 0) == thrd_success);
  assert(thrd_create(&t, run, &made) == thrd_success);
  call_once(&flag, make);
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  mtx_unlock(&m);
  assert(thrd_join(t, &result) == thrd_success && result == -5);
  assert(made == 1);
  mtx_destroy(&m);
  cnd_destroy(&c);
  return 0;
}
