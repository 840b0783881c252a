/* The system: there are four processors, and time stands still, but for a thread that has waited until its time was up: its clock has
 * then come to that time. Sleeping takes no time. */

#include "runtime.h"

enum { NOW = 1700000000, PROCESSORS = 4 };

struct timeval {
  long tv_sec;
  long tv_usec;
};

/* Nothing in this file keeps structures in memory of its own: a loop that looks at the clock or sleeps is to be seen to change nothing. */
static _Thread_local struct timespec current;

struct timespec __mazurka_now(void) {
  if (current.tv_sec < NOW) current.tv_sec = NOW;
  return current;
}

/* The number that a wait up to this time gave; where the time was up, it is. */
int __mazurka_late(int number, const struct timespec *time) {
  if (number == ETIMEDOUT) {
    if (current.tv_sec < NOW) current.tv_sec = NOW;
    long seconds = time->tv_sec, rest = time->tv_nsec;
    if (seconds > current.tv_sec || (seconds == current.tv_sec && rest > current.tv_nsec)) {
      current.tv_sec = seconds;
      current.tv_nsec = rest;
    }
  }
  return number;
}

static void set_now(struct timespec *now) {
  if (current.tv_sec < NOW) current.tv_sec = NOW;
  now->tv_sec = current.tv_sec;
  now->tv_nsec = current.tv_nsec;
}

long time(long *result) {
  if (current.tv_sec < NOW) current.tv_sec = NOW;
  long now = current.tv_sec;
  if (result != NULL) *result = now;
  return now;
}

long clock(void) { return 0; }
double difftime(long end, long begin) { return (double)(end - begin); }

int clock_gettime(int clock, struct timespec *now) {
  (void)clock;
  set_now(now);
  return 0;
}

int clock_getres(int clock, struct timespec *resolution) {
  (void)clock;
  if (resolution != NULL) resolution->tv_sec = 0, resolution->tv_nsec = 1;
  return 0;
}

int timespec_get(struct timespec *now, int base) {
  set_now(now);
  return base;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  if (current.tv_sec < NOW) current.tv_sec = NOW;
  now->tv_sec = current.tv_sec;
  now->tv_usec = current.tv_nsec / 1000;
  return 0;
}

int sched_yield(void) { return 0; }
int pthread_yield(void) { return 0; }
int usleep(unsigned microseconds) {
  (void)microseconds;
  return 0;
}

unsigned sleep(unsigned seconds) {
  (void)seconds;
  return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  (void)time;
  if (left != NULL) left->tv_sec = 0, left->tv_nsec = 0;
  return 0;
}

int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *left) {
  (void)clock;
  (void)flags;
  return nanosleep(time, left);
}

int pthread_num_processors_np(void) { return PROCESSORS; }
int get_nprocs(void) { return PROCESSORS; }
int get_nprocs_conf(void) { return PROCESSORS; }
int sched_getcpu(void) { return 0; }
int getpid(void) { return 1; }
int getpagesize(void) { return 4096; }

int sched_setaffinity(int process, size_t size, const void *set) {
  (void)process;
  (void)size;
  (void)set;
  return 0;
}

int sched_get_priority_min(int policy) { return policy == 0 ? 0 : 1; }
int sched_get_priority_max(int policy) { return policy == 0 ? 0 : 99; }
int pthread_setschedparam(pthread_t thread, int policy, const void *parameters) {
  (void)thread;
  (void)policy;
  (void)parameters;
  return 0;
}

char *setlocale(int category, const char *name) {
  (void)category;
  return name == NULL || name[0] == 0 || (name[0] == 'C' && name[1] == 0) ? "C" : NULL;
}

long sysconf(int name) {
  switch (name) {
    case 30: return 4096;
    case 83:
    case 84: return PROCESSORS;
    default: errno = EINVAL; return -1;
  }
}

enum { SYS_sched_yield = 24, SYS_getpid = 39, SYS_gettid = 186, SYS_futex = 202 };
enum { FUTEX_WAIT = 0, FUTEX_WAKE = 1, FUTEX_WAIT_BITSET = 9, FUTEX_WAKE_BITSET = 10, FUTEX_OPTIONS = 128 | 256 };

int gettid(void);

/* The time limit of a wait is from now on; that of a wait with bits is a point of time. */
static int futex_wait(int *word, int value, const struct timespec *time, int relative) {
  if (time == NULL) return __mazurka_futex_wait(word, value);
  int number = __mazurka_futex_timedwait(word, value);
  struct timespec until = *time;
  if (relative) {
    struct timespec now = __mazurka_now();
    until.tv_sec += now.tv_sec + (until.tv_nsec + now.tv_nsec) / 1000000000;
    until.tv_nsec = (until.tv_nsec + now.tv_nsec) % 1000000000;
  }
  return __mazurka_late(number, &until);
}

static long futex(int *word, int operation, int value, const struct timespec *time) {
  int number;
  switch (operation & ~FUTEX_OPTIONS) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      number = futex_wait(word, value, time, (operation & ~FUTEX_OPTIONS) == FUTEX_WAIT);
      if (number == 0) return 0;
      errno = number;
      return -1;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return __mazurka_futex_wake(word, value);
    default: __mazurka_unmodelled("a futex operation other than wait and wake");
  }
}

long syscall(long number, ...) {
  switch (number) {
    case SYS_sched_yield: return 0;
    case SYS_getpid: return 1;
    case SYS_gettid: return gettid();
    case SYS_futex: {
      va_list values;
      va_start(values, number);
      int *word = va_arg(values, int *);
      int operation = va_arg(values, int);
      int value = va_arg(values, int);
      const struct timespec *time = NULL;
      int bare = operation & ~FUTEX_OPTIONS;
      if (bare == FUTEX_WAIT || bare == FUTEX_WAIT_BITSET) time = va_arg(values, const struct timespec *);
      va_end(values);
      return futex(word, operation, value, time);
    }
    default: __mazurka_unmodelled("a system call other than futex, gettid, getpid and sched_yield");
  }
}
