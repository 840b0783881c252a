// verified
// Atomic operations on 128 bits are one step each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
typedef struct {
  long first, second;
} both;
static _Atomic both pair;
static _Atomic unsigned __int128 number;
static void *run(void *unused) {
  both seen = atomic_load(&pair);
  for (;;) {
    assert(seen.first == seen.second);
    both next = {seen.first + 1, seen.second + 1};
    if (atomic_compare_exchange_strong(&pair, &seen, next)) break;
  }
  return unused;
}
int main(void) {
  pthread_t t;
  number = ~(unsigned __int128)0;
  assert(atomic_fetch_add(&number, 2) == ~(unsigned __int128)0 && number == 1);
  assert(atomic_fetch_sub(&number, 2) == 1 && number >> 64 == 0xffffffffffffffff);
  assert(atomic_fetch_and(&number, (unsigned __int128)5 << 64 | 3) > 0 && (long)number == 3 && number >> 64 == 5);
  assert(atomic_fetch_or(&number, 4) > 0 && (long)number == 7);
  assert(atomic_fetch_xor(&number, (unsigned __int128)1 << 64) > 0 && number >> 64 == 4);
  assert(atomic_exchange(&number, 9) >> 64 == 4 && number == 9);
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  both end = pair;
  assert(end.first == 2 && end.second == 2);
  return 0;
}
