/* Ranges of bytes, and blocks. Copying and filling are one operation of the machine each. */

#include "runtime.h"

void *memcpy(void *to, const void *from, size_t size) {
  __builtin_memcpy(to, from, size);
  return to;
}

void *mempcpy(void *to, const void *from, size_t size) {
  __builtin_memcpy(to, from, size);
  return (char *)to + size;
}

void *memmove(void *to, const void *from, size_t size) {
  __builtin_memmove(to, from, size);
  return to;
}

void *memset(void *to, int byte, size_t size) {
  __builtin_memset(to, byte, size);
  return to;
}

void explicit_bzero(void *to, size_t size) { __builtin_memset(to, 0, size); }

void bzero(void *to, size_t size) { __builtin_memset(to, 0, size); }

void bcopy(const void *from, void *to, size_t size) { __builtin_memmove(to, from, size); }

int memcmp(const void *one, const void *other, size_t size) {
  const unsigned char *a = one, *b = other;
  for (size_t i = 0; i < size; i++) {
    unsigned char x = a[i], y = b[i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

int bcmp(const void *one, const void *other, size_t size) { return memcmp(one, other, size); }

void *memchr(const void *range, int wanted, size_t size) {
  const unsigned char *bytes = range;
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == (unsigned char)wanted) return (void *)(bytes + i);
  }
  return NULL;
}

void *memrchr(const void *range, int wanted, size_t size) {
  const unsigned char *bytes = range;
  while (size > 0) {
    size--;
    if (bytes[size] == (unsigned char)wanted) return (void *)(bytes + size);
  }
  return NULL;
}

void *memccpy(void *to, const void *from, int last, size_t size) {
  unsigned char *target = to;
  const unsigned char *source = from;
  for (size_t i = 0; i < size; i++) {
    unsigned char byte = source[i];
    target[i] = byte;
    if (byte == (unsigned char)last) return target + i + 1;
  }
  return NULL;
}

void *memmem(const void *range, size_t size, const void *wanted, size_t length) {
  const char *bytes = range;
  for (size_t i = 0; i + length <= size; i++) {
    if (memcmp(bytes + i, wanted, length) == 0) return (void *)(bytes + i);
  }
  return NULL;
}

void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  size_t old = __mazurka_block_size(block);
  void *larger = malloc(size);
  if (larger == NULL) return NULL;
  __builtin_memcpy(larger, block, old < size ? old : size);
  free(block);
  return larger;
}

void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *new = aligned_alloc(alignment, size);
  if (new == NULL) return ENOMEM;
  *block = new;
  return 0;
}
