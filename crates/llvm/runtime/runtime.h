/* What the runtime library's files share: the machine's own functions, and the numbers that programs see.
 *
 * No header of the system is used but those of the compiler, so that the library is the same wherever it is compiled. Types are
 * as the x86-64 ABI of Linux has them. State that threads share is only touched by atomic operations; state that would make threads
 * depend on each other without need (errno, the seed of rand) belongs to each thread. */

#ifndef MAZURKA_RUNTIME_H
#define MAZURKA_RUNTIME_H

#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef unsigned long pthread_t;

enum {
  EPERM = 1,
  EINTR = 4,
  EAGAIN = 11,
  ENOMEM = 12,
  EBUSY = 16,
  EINVAL = 22,
  ERANGE = 34,
  EDEADLK = 35,
  ENOSYS = 38,
  EOVERFLOW = 75,
  ETIMEDOUT = 110
};

struct timespec {
  long tv_sec;
  long tv_nsec;
};

/* The machine. */
void __mazurka_exit(int status) __attribute__((noreturn));
void __mazurka_misuse(const char *text) __attribute__((noreturn));
void __mazurka_unmodelled(const char *text) __attribute__((noreturn));
int __mazurka_sem_init(void *semaphore, int shared, unsigned value);
int __mazurka_sem_trywait(void *semaphore, int otherwise);
int __mazurka_sem_post(void *semaphore);
int __mazurka_once_begin(void *control);
void __mazurka_once_end(void *control);
int __mazurka_futex_wait(void *word, int expected);
int __mazurka_futex_timedwait(void *word, int expected);
int __mazurka_futex_wake(void *word, int count);
int __mazurka_mutex_timedlock(void *mutex);
int __mazurka_cond_timedwait(void *condition, void *mutex);
int __mazurka_cond_clockwait(void *condition, void *mutex);
int __mazurka_rwlock_timedrdlock(void *lock);
int __mazurka_rwlock_timedwrlock(void *lock);
size_t __mazurka_block_size(const void *block);
/* Prints so many bytes; a string up to its end where there are SIZE_MAX of them. */
void __mazurka_print(const char *bytes, size_t count);
double __mazurka_parse_double(const char *text, size_t length);
double __mazurka_parse_float(const char *text, size_t length);
void __mazurka_parse_long_double(const char *text, size_t length, long double *number);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *block);
void abort(void) __attribute__((noreturn));
int putchar(int byte);
int vsnprintf(char *buffer, size_t size, const char *format, va_list values);
int vfprintf(void *stream, const char *format, va_list values);
int pthread_create(pthread_t *thread, const void *attributes, void *(*function)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
pthread_t pthread_self(void);
int pthread_mutex_init(void *mutex, const void *attributes);
int pthread_mutex_trylock(void *mutex);
int pthread_cond_init(void *condition, const void *attributes);
double sqrt(double), cbrt(double), exp(double), exp2(double), expm1(double), log(double), log2(double), log10(double),
    log1p(double), sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), sinh(double), cosh(double),
    tanh(double), asinh(double), acosh(double), atanh(double), pow(double, double), atan2(double, double),
    hypot(double, double), fmod(double, double), fma(double, double, double);

/* The library itself. */
int *__errno_location(void);
#define errno (*__errno_location())
size_t strlen(const char *string);
size_t strnlen(const char *string, size_t limit);
char *strchr(const char *string, int byte);
char *strerror(int number);
int pthread_mutex_timedlock(void *mutex, const struct timespec *time);
int pthread_cond_timedwait(void *condition, void *mutex, const struct timespec *time);
struct timespec __mazurka_now(void);
int __mazurka_late(int number, const struct timespec *time);
long double scalbnl(long double x, int exponent);
int tolower(int byte);
int isspace(int byte), isalnum(int byte);
void __mazurka_thread_finish(void);
void __mazurka_process_finish(void);

/* Makes a function part of every program that this call is part of. */
static inline void keep(void (*function)(void)) { (void)function; }

#endif
