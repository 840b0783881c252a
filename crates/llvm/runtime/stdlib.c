/* Arithmetic of integers, sorting, random numbers, the end of the program. */

#include "runtime.h"

static _Thread_local int error_number;

int *__errno_location(void) { return &error_number; }

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;

div_t div(int x, int y) { return (div_t){x / y, x % y}; }
ldiv_t ldiv(long x, long y) { return (ldiv_t){x / y, x % y}; }
lldiv_t lldiv(long long x, long long y) { return (lldiv_t){x / y, x % y}; }
lldiv_t imaxdiv(intmax_t x, intmax_t y) { return (lldiv_t){x / y, x % y}; }

int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }

typedef int (*comparison)(const void *, const void *);
typedef int (*comparison_with)(const void *, const void *, void *);

/* Merges the sorted stretches [low, middle) and [middle, high) of one array into another. */
static void merge(const char *from, char *to, size_t low, size_t middle, size_t high, size_t size, comparison_with compare,
                  void *with) {
  size_t one = low, other = middle;
  for (size_t at = low; at < high; at++) {
    int first = other >= high || (one < middle && compare(from + one * size, from + other * size, with) <= 0);
    size_t taken = first ? one++ : other++;
    __builtin_memcpy(to + at * size, from + taken * size, size);
  }
}

/* A stable sort, from pairs upwards. */
void qsort_r(void *array, size_t count, size_t size, comparison_with compare, void *with) {
  if (count < 2 || size == 0) return;
  char *from = array, *to = malloc(count * size), *spare = to;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t low = 0; low < count; low += 2 * width) {
      size_t middle = low + width < count ? low + width : count;
      size_t high = low + 2 * width < count ? low + 2 * width : count;
      merge(from, to, low, middle, high, size, compare, with);
    }
    char *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != array) __builtin_memcpy(array, from, count * size);
  free(spare);
}

static int compare_plainly(const void *one, const void *other, void *compare) { return ((comparison)compare)(one, other); }

void qsort(void *array, size_t count, size_t size, comparison compare) {
  qsort_r(array, count, size, compare_plainly, (void *)compare);
}

void *bsearch(const void *wanted, const void *array, size_t count, size_t size, comparison compare) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = (const char *)array + middle * size;
    int order = compare(wanted, element);
    if (order == 0) return (void *)element;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

/* Random numbers are the same in every execution. Each thread has its own sequence, from seed 1 or the seed that it gave itself: what
 * a thread draws does not depend on how often others have drawn. */
static _Thread_local uint64_t random_state = 1;

static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

void srand(unsigned seed) { random_state = seed; }
void srandom(unsigned seed) { random_state = seed; }
void srand48(long seed) { random_state = (uint64_t)seed; }
int rand(void) { return (int)next_random(&random_state); }
long random(void) { return (long)next_random(&random_state); }
long lrand48(void) { return (long)next_random(&random_state); }
long mrand48(void) { return (int)(next_random(&random_state) << 1); }
double drand48(void) { return next_random(&random_state) / 2147483648.0; }

int rand_r(unsigned *seed) {
  uint64_t state = *seed;
  uint32_t result = next_random(&state);
  *seed = (unsigned)(state ^ state >> 32);
  return (int)result;
}

char *getenv(const char *name) {
  (void)name;
  return NULL;
}

char *secure_getenv(const char *name) { return getenv(name); }

/* What to do at the end of the program: the machine calls `__mazurka_process_finish` when `main` returns, where it is part of the
 * program. */
enum { HANDLERS = 256 };

struct handler {
  void (*function)(void *);
  void *argument;
};

static struct handler exit_handlers[HANDLERS], quick_handlers[HANDLERS];
static int exit_count, quick_count;

static int add_handler(struct handler *handlers, int *count, void (*function)(void *), void *argument) {
  int place = __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
  keep(__mazurka_process_finish);
  if (place >= HANDLERS) return -1;
  __atomic_store_n(&handlers[place].argument, argument, __ATOMIC_SEQ_CST);
  __atomic_store_n(&handlers[place].function, function, __ATOMIC_SEQ_CST);
  return 0;
}

static void run_handlers(struct handler *handlers, int *count) {
  for (;;) {
    int place = __atomic_load_n(count, __ATOMIC_SEQ_CST);
    if (place == 0) return;
    place = __atomic_sub_fetch(count, 1, __ATOMIC_SEQ_CST);
    if (place >= HANDLERS) continue;
    void *argument = __atomic_load_n(&handlers[place].argument, __ATOMIC_SEQ_CST);
    void (*function)(void *) = __atomic_load_n(&handlers[place].function, __ATOMIC_SEQ_CST);
    if (function != NULL) function(argument);
  }
}

/* The argument of a handler that takes none is the handler. */
static void call_plainly(void *function) { ((void (*)(void))function)(); }

int atexit(void (*function)(void)) { return add_handler(exit_handlers, &exit_count, call_plainly, (void *)function); }
int at_quick_exit(void (*function)(void)) { return add_handler(quick_handlers, &quick_count, call_plainly, (void *)function); }

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  return add_handler(exit_handlers, &exit_count, function, argument);
}

void __mazurka_process_finish(void) {
  destroy_objects();
  run_handlers(exit_handlers, &exit_count);
}

void exit(int status) {
  __mazurka_process_finish();
  __mazurka_exit(status);
}

void quick_exit(int status) {
  run_handlers(quick_handlers, &quick_count);
  __mazurka_exit(status);
}
