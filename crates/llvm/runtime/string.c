/* Strings. Byte by byte, so that every access of the C standard's abstract function is one of the program's. */

#include "runtime.h"

size_t strlen(const char *string) {
  size_t length = 0;
  while (string[length] != 0) length++;
  return length;
}

size_t strnlen(const char *string, size_t limit) {
  size_t length = 0;
  while (length < limit && string[length] != 0) length++;
  return length;
}

char *stpcpy(char *to, const char *from) {
  for (;;) {
    char byte = *from;
    *to = byte;
    if (byte == 0) return to;
    to++;
    from++;
  }
}

char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}

char *stpncpy(char *to, const char *from, size_t limit) {
  size_t i = 0;
  for (; i < limit; i++) {
    char byte = from[i];
    if (byte == 0) break;
    to[i] = byte;
  }
  for (size_t rest = i; rest < limit; rest++) to[rest] = 0;
  return to + i;
}

char *strncpy(char *to, const char *from, size_t limit) {
  stpncpy(to, from, limit);
  return to;
}

char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t limit) {
  char *end = to + strlen(to);
  for (; limit > 0; limit--) {
    char byte = *from++;
    if (byte == 0) break;
    *end++ = byte;
  }
  *end = 0;
  return to;
}

int strcmp(const char *one, const char *other) {
  for (;; one++, other++) {
    unsigned char a = (unsigned char)*one, b = (unsigned char)*other;
    if (a != b) return a < b ? -1 : 1;
    if (a == 0) return 0;
  }
}

int strncmp(const char *one, const char *other, size_t limit) {
  for (; limit > 0; limit--, one++, other++) {
    unsigned char a = (unsigned char)*one, b = (unsigned char)*other;
    if (a != b) return a < b ? -1 : 1;
    if (a == 0) return 0;
  }
  return 0;
}

int strcoll(const char *one, const char *other) { return strcmp(one, other); }

int strcasecmp(const char *one, const char *other) {
  for (;; one++, other++) {
    int a = tolower((unsigned char)*one), b = tolower((unsigned char)*other);
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
}

int strncasecmp(const char *one, const char *other, size_t limit) {
  for (; limit > 0; limit--, one++, other++) {
    int a = tolower((unsigned char)*one), b = tolower((unsigned char)*other);
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}

char *strchr(const char *string, int wanted) {
  for (;; string++) {
    char byte = *string;
    if (byte == (char)wanted) return (char *)string;
    if (byte == 0) return NULL;
  }
}

char *strchrnul(const char *string, int wanted) {
  for (;; string++) {
    char byte = *string;
    if (byte == (char)wanted || byte == 0) return (char *)string;
  }
}

char *index(const char *string, int wanted) { return strchr(string, wanted); }

char *strrchr(const char *string, int wanted) {
  const char *found = NULL;
  for (;; string++) {
    char byte = *string;
    if (byte == (char)wanted) found = string;
    if (byte == 0) return (char *)found;
  }
}

char *rindex(const char *string, int wanted) { return strrchr(string, wanted); }

char *strstr(const char *string, const char *wanted) {
  size_t length = strlen(wanted);
  if (length == 0) return (char *)string;
  for (; *string != 0; string++) {
    if (strncmp(string, wanted, length) == 0) return (char *)string;
  }
  return NULL;
}

char *strcasestr(const char *string, const char *wanted) {
  size_t length = strlen(wanted);
  if (length == 0) return (char *)string;
  for (; *string != 0; string++) {
    if (strncasecmp(string, wanted, length) == 0) return (char *)string;
  }
  return NULL;
}

size_t strspn(const char *string, const char *accepted) {
  size_t length = 0;
  for (;; length++) {
    char byte = string[length];
    if (byte == 0 || strchr(accepted, byte) == NULL) return length;
  }
}

size_t strcspn(const char *string, const char *refused) {
  size_t length = 0;
  for (;; length++) {
    char byte = string[length];
    if (byte == 0 || strchr(refused, byte) != NULL) return length;
  }
}

char *strpbrk(const char *string, const char *wanted) {
  string += strcspn(string, wanted);
  return *string == 0 ? NULL : (char *)string;
}

char *strtok_r(char *string, const char *separators, char **rest) {
  if (string == NULL) string = *rest;
  if (string == NULL) return NULL;
  string += strspn(string, separators);
  if (*string == 0) {
    *rest = NULL;
    return NULL;
  }
  char *end = string + strcspn(string, separators);
  if (*end == 0) {
    *rest = NULL;
  } else {
    *end = 0;
    *rest = end + 1;
  }
  return string;
}

/* Shared between threads, as the standard allows: two threads that use it at once do have a data race. */
static char *strtok_rest;

char *strtok(char *string, const char *separators) { return strtok_r(string, separators, &strtok_rest); }

char *strsep(char **string, const char *separators) {
  char *start = *string;
  if (start == NULL) return NULL;
  char *end = start + strcspn(start, separators);
  if (*end == 0) {
    *string = NULL;
  } else {
    *end = 0;
    *string = end + 1;
  }
  return start;
}

char *strdup(const char *string) {
  size_t size = strlen(string) + 1;
  char *copy = malloc(size);
  if (copy != NULL) __builtin_memcpy(copy, string, size);
  return copy;
}

char *__strdup(const char *string) { return strdup(string); }

char *strndup(const char *string, size_t limit) {
  size_t length = strnlen(string, limit);
  char *copy = malloc(length + 1);
  if (copy != NULL) {
    __builtin_memcpy(copy, string, length);
    copy[length] = 0;
  }
  return copy;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    __builtin_memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t length = strnlen(to, size);
  if (length == size) return size + strlen(from);
  return length + strlcpy(to + length, from, size - length);
}

char *basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash == NULL ? (char *)path : slash + 1;
}

/* In the C locale, strings are compared as they are. */
size_t strxfrm(char *to, const char *from, size_t size) { return strlcpy(to, from, size); }

void *rawmemchr(const void *range, int wanted) {
  const unsigned char *at = range;
  while (*at != (unsigned char)wanted) at++;
  return (void *)at;
}

static const struct {
  int number;
  const char *text;
} error_texts[] = {
    {0, "Success"},
    {EPERM, "Operation not permitted"},
    {2, "No such file or directory"},
    {3, "No such process"},
    {EINTR, "Interrupted system call"},
    {5, "Input/output error"},
    {9, "Bad file descriptor"},
    {EAGAIN, "Resource temporarily unavailable"},
    {ENOMEM, "Cannot allocate memory"},
    {13, "Permission denied"},
    {14, "Bad address"},
    {EBUSY, "Device or resource busy"},
    {17, "File exists"},
    {EINVAL, "Invalid argument"},
    {28, "No space left on device"},
    {32, "Broken pipe"},
    {33, "Numerical argument out of domain"},
    {ERANGE, "Numerical result out of range"},
    {EDEADLK, "Resource deadlock avoided"},
    {ENOSYS, "Function not implemented"},
    {EOVERFLOW, "Value too large for defined data type"},
    {ETIMEDOUT, "Connection timed out"},
};

static _Thread_local char error_text[32];

char *strerror(int number) {
  for (size_t i = 0; i < sizeof error_texts / sizeof error_texts[0]; i++) {
    if (error_texts[i].number == number) return (char *)error_texts[i].text;
  }
  char *to = stpcpy(error_text, "Unknown error ");
  unsigned left = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  if (number < 0) *to++ = '-';
  char digits[12];
  int count = 0;
  do {
    digits[count++] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  while (count > 0) *to++ = digits[--count];
  *to = 0;
  return error_text;
}

char *strerror_r(int number, char *buffer, size_t size) {
  (void)buffer;
  (void)size;
  return strerror(number);
}

int __xpg_strerror_r(int number, char *buffer, size_t size) {
  return strlcpy(buffer, strerror(number), size) < size ? 0 : ERANGE;
}
