/* C11's threads.h, on top of POSIX threads; what is the same there is the machine's own under both names. */

#include "runtime.h"

enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

static int outcome(int number) {
  switch (number) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
  }
}

int thrd_create(pthread_t *thread, int (*function)(void *), void *argument) {
  return outcome(pthread_create(thread, NULL, (void *(*)(void *))(void *)function, argument));
}

int thrd_join(pthread_t thread, int *result) {
  void *value = NULL;
  int number = pthread_join(thread, &value);
  if (result != NULL) *result = (int)(intptr_t)value;
  return outcome(number);
}

int thrd_equal(pthread_t one, pthread_t other) { return one == other; }
void thrd_yield(void) {}

int thrd_sleep(const struct timespec *time, struct timespec *left) {
  (void)time;
  if (left != NULL) *left = (struct timespec){0, 0};
  return 0;
}

int mtx_init(void *mutex, int type) {
  if (type & ~(mtx_recursive | mtx_timed)) return thrd_error;
  int attributes = type & mtx_recursive ? 1 : 0;
  return outcome(pthread_mutex_init(mutex, &attributes));
}

int mtx_trylock(void *mutex) { return outcome(pthread_mutex_trylock(mutex)); }
int mtx_timedlock(void *mutex, const struct timespec *time) { return outcome(pthread_mutex_timedlock(mutex, time)); }
int cnd_init(void *condition) { return outcome(pthread_cond_init(condition, NULL)); }

int cnd_timedwait(void *condition, void *mutex, const struct timespec *time) {
  return outcome(pthread_cond_timedwait(condition, mutex, time));
}

void call_once(void *flag, void (*function)(void)) {
  if (__mazurka_once_begin(flag)) {
    function();
    __mazurka_once_end(flag);
  }
}

int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);

int tss_create(unsigned *key, void (*destructor)(void *)) { return outcome(pthread_key_create(key, destructor)); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return outcome(pthread_setspecific(key, value)); }

/* Semaphores: errors go to errno. */
static int report(int number) {
  if (number == 0) return 0;
  errno = number;
  return -1;
}

int sem_init(void *semaphore, int shared, unsigned value) {
  if (value > INT_MAX) return report(EINVAL);
  return __mazurka_sem_init(semaphore, shared, value);
}

int sem_trywait(void *semaphore) { return report(__mazurka_sem_trywait(semaphore, EAGAIN)); }
int sem_post(void *semaphore) { return report(__mazurka_sem_post(semaphore)); }

/* Whether this is no time: then nobody waits for it. (Who need not wait is not asked.) */
static int is_wrong(const struct timespec *time) { return time->tv_nsec < 0 || time->tv_nsec >= 1000000000; }

int sem_timedwait(void *semaphore, const struct timespec *time) {
  if (is_wrong(time)) return report(__mazurka_sem_trywait(semaphore, EINVAL));
  return report(__mazurka_late(__mazurka_sem_trywait(semaphore, ETIMEDOUT), time));
}

int sem_clockwait(void *semaphore, int clock, const struct timespec *time) {
  (void)clock;
  return sem_timedwait(semaphore, time);
}

/* Waits with a time limit. */
int pthread_cond_timedwait(void *condition, void *mutex, const struct timespec *time) {
  if (is_wrong(time)) return EINVAL;
  return __mazurka_late(__mazurka_cond_timedwait(condition, mutex), time);
}

int pthread_cond_clockwait(void *condition, void *mutex, int clock, const struct timespec *time) {
  (void)clock;
  if (is_wrong(time)) return EINVAL;
  return __mazurka_late(__mazurka_cond_clockwait(condition, mutex), time);
}

#define TIMED(timed, clocked, native)                                   \
  int timed(void *lock, const struct timespec *time) { return __mazurka_late(native(lock), time); } \
  int clocked(void *lock, int clock, const struct timespec *time) {     \
    (void)clock;                                                        \
    return __mazurka_late(native(lock), time);                          \
  }

TIMED(pthread_mutex_timedlock, pthread_mutex_clocklock, __mazurka_mutex_timedlock)
TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_clockrdlock, __mazurka_rwlock_timedrdlock)
TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_clockwrlock, __mazurka_rwlock_timedwrlock)
