/* Atomic operations on objects that no single instruction accesses: what compilers call for structures. Each is one step. */

#include "runtime.h"

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
int memcmp(const void *one, const void *other, size_t size);

/* The compiler has functions of these names of its own. */
void load(size_t size, const void *from, void *to, int order) __asm__("__atomic_load");
void store(size_t size, void *to, const void *from, int order) __asm__("__atomic_store");
void exchange(size_t size, void *object, const void *new, void *old, int order) __asm__("__atomic_exchange");
_Bool compare_exchange(size_t size, void *object, void *expected, const void *new, int success, int failure) __asm__(
    "__atomic_compare_exchange");
_Bool is_lock_free(size_t size, const void *object) __asm__("__atomic_is_lock_free");

void load(size_t size, const void *from, void *to, int order) {
  (void)order;
  __mazurka_atomic_begin();
  __builtin_memcpy(to, from, size);
  __mazurka_atomic_end();
}

void store(size_t size, void *to, const void *from, int order) {
  (void)order;
  __mazurka_atomic_begin();
  __builtin_memcpy(to, from, size);
  __mazurka_atomic_end();
}

void exchange(size_t size, void *object, const void *new, void *old, int order) {
  (void)order;
  __mazurka_atomic_begin();
  __builtin_memcpy(old, object, size);
  __builtin_memcpy(object, new, size);
  __mazurka_atomic_end();
}

_Bool compare_exchange(size_t size, void *object, void *expected, const void *new, int success, int failure) {
  (void)success;
  (void)failure;
  __mazurka_atomic_begin();
  _Bool equal = memcmp(object, expected, size) == 0;
  if (equal) {
    __builtin_memcpy(object, new, size);
  } else {
    __builtin_memcpy(expected, object, size);
  }
  __mazurka_atomic_end();
  return equal;
}

_Bool is_lock_free(size_t size, const void *object) {
  (void)object;
  return size <= 16 && (size & (size - 1)) == 0;
}
