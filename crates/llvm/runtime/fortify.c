/* The checking versions that compilers call where they know the size of the destination. What is out of bounds is found anyway. */

#include "runtime.h"

char *strcpy(char *to, const char *from), *strncpy(char *to, const char *from, size_t limit), *stpcpy(char *to, const char *from),
    *strcat(char *to, const char *from), *strncat(char *to, const char *from, size_t limit);
int vsprintf(char *to, const char *format, va_list values);

char *__strcpy_chk(char *to, const char *from, size_t size) {
  (void)size;
  return strcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t limit, size_t size) {
  (void)size;
  return strncpy(to, from, limit);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
  (void)size;
  return stpcpy(to, from);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
  (void)size;
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t limit, size_t size) {
  (void)size;
  return strncat(to, from, limit);
}

int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list values) {
  (void)flag, (void)size;
  return vsprintf(to, format, values);
}

int __vsnprintf_chk(char *to, size_t limit, int flag, size_t size, const char *format, va_list values) {
  (void)flag, (void)size;
  return vsnprintf(to, limit, format, values);
}

int __vfprintf_chk(void *stream, int flag, const char *format, va_list values) {
  (void)flag;
  return vfprintf(stream, format, values);
}

int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...) {
  (void)flag, (void)size;
  va_list values;
  va_start(values, format);
  int length = vsprintf(to, format, values);
  va_end(values);
  return length;
}

int __snprintf_chk(char *to, size_t limit, int flag, size_t size, const char *format, ...) {
  (void)flag, (void)size;
  va_list values;
  va_start(values, format);
  int length = vsnprintf(to, limit, format, values);
  va_end(values);
  return length;
}

int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  va_list values;
  va_start(values, format);
  int length = vfprintf(0, format, values);
  va_end(values);
  return length;
}

int __fprintf_chk(void *stream, int flag, const char *format, ...) {
  (void)flag;
  va_list values;
  va_start(values, format);
  int length = vfprintf(stream, format, values);
  va_end(values);
  return length;
}
