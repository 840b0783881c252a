/* Atomic operations, one thread alone. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int i = 5;
static _Atomic uint8_t b = 250;
static _Atomic int64_t l = -7;
static _Atomic(int *) pointer;
static _Atomic double d = 1.5;
struct two { int a, b; };
static _Atomic struct two both;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic _Bool truth;
static int array[4] = {1, 2, 3, 4};
static unsigned plain = 12;
static int signed_plain = -12;

int main(void) {
  printf("%d %d %d\n", atomic_fetch_add(&i, 3), atomic_fetch_sub(&i, 10), atomic_load(&i));
  printf("%d %d %d %d\n", atomic_fetch_or(&i, 8), atomic_fetch_and(&i, 12), atomic_fetch_xor(&i, -1), i);
  printf("%d %d\n", atomic_exchange(&i, 42), i);
  int expected = 41;
  int ok = atomic_compare_exchange_strong(&i, &expected, 1);
  printf("%d %d %d\n", ok, expected, i);
  ok = atomic_compare_exchange_weak(&i, &expected, 1);
  printf("%d %d %d\n", ok, expected, i);
  b += 10, b++, --b;
  printf("%d %d\n", b, atomic_fetch_add(&b, 255));
  l *= 3, l -= 1, l <<= 2;
  printf("%ld %d\n", (long)l, l < 0);
  atomic_store(&pointer, array);
  int *old = atomic_fetch_add(&pointer, 1);
  printf("%d %d\n", *old, *pointer);
  d += 2.25;
  d = d * 2;
  printf("%g\n", d);
  printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  printf("%d\n", atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  truth = 5;
  printf("%d %d\n", truth, atomic_exchange(&truth, 0));
  atomic_thread_fence(memory_order_seq_cst);
  printf("%u %u %u\n", __sync_fetch_and_add(&plain, 5), __sync_add_and_fetch(&plain, 5), __sync_val_compare_and_swap(&plain, 22, 7));
  printf("%d %u\n", __sync_bool_compare_and_swap(&plain, 8, 9), plain);
  printf("%u %u\n", __atomic_fetch_nand(&plain, 6, __ATOMIC_SEQ_CST), plain);
  printf("%u\n", __atomic_exchange_n(&plain, 100, __ATOMIC_ACQ_REL));
  printf("%d %u\n", __atomic_fetch_max(&signed_plain, 50, __ATOMIC_RELAXED), __atomic_fetch_min(&plain, 3, __ATOMIC_RELAXED));
  printf("%d %d\n", __atomic_fetch_min(&signed_plain, -50, __ATOMIC_RELAXED), signed_plain);
  unsigned value, other = 77;
  __atomic_load(&plain, &value, __ATOMIC_ACQUIRE);
  __atomic_store(&plain, &other, __ATOMIC_RELEASE);
  printf("%d %u %u\n", i, value, plain);
  both = (struct two){1, 2};
  struct two read = both;
  printf("%d %d\n", read.a, read.b);
  printf("%d\n", atomic_is_lock_free(&i));
  return 0;
}
