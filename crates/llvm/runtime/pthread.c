/* Threads: attributes (kept in the bytes of their types), what is done once, what belongs to each thread, the end of a thread. */

#include "runtime.h"

typedef unsigned pthread_key_t;

int pthread_equal(pthread_t one, pthread_t other) { return one == other; }

/* Attributes of threads: 56 bytes. Whether detached is what the machine reads (its bytes 8 to 11). */
struct attributes {
  size_t stack_size;
  int detached, scope, policy, inherit, priority;
  size_t guard_size;
  void *stack;
};

int pthread_attr_init(void *attributes) {
  struct attributes *these = attributes;
  *these = (struct attributes){.stack_size = 8 << 20, .guard_size = 4096};
  return 0;
}

int pthread_attr_destroy(void *attributes) {
  (void)attributes;
  return 0;
}

#define ATTRIBUTE(name, type, field)                              \
  int pthread_attr_set##name(void *attributes, type value) {      \
    ((struct attributes *)attributes)->field = value;             \
    return 0;                                                     \
  }                                                               \
  int pthread_attr_get##name(const void *attributes, type *value) { \
    *value = ((const struct attributes *)attributes)->field;      \
    return 0;                                                     \
  }

ATTRIBUTE(detachstate, int, detached)
ATTRIBUTE(scope, int, scope)
ATTRIBUTE(schedpolicy, int, policy)
ATTRIBUTE(inheritsched, int, inherit)
ATTRIBUTE(schedparam, int, priority)
ATTRIBUTE(stacksize, size_t, stack_size)
ATTRIBUTE(guardsize, size_t, guard_size)

int pthread_attr_setstack(void *attributes, void *stack, size_t size) {
  struct attributes *these = attributes;
  these->stack = stack;
  these->stack_size = size;
  return 0;
}

int pthread_attr_setaffinity_np(void *attributes, size_t size, const void *set) {
  (void)attributes;
  (void)size;
  (void)set;
  return 0;
}

/* Attributes of mutexes: an int, of which the machine reads the last two bits as the kind. */
int pthread_mutexattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}

int pthread_mutexattr_destroy(int *attributes) {
  *attributes = -1;
  return 0;
}

int pthread_mutexattr_settype(int *attributes, int kind) {
  if (kind < 0 || kind > 3) return EINVAL;
  *attributes = (*attributes & ~3) | kind;
  return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *kind) {
  *kind = *attributes & 3;
  return 0;
}

int pthread_mutexattr_setpshared(int *attributes, int shared) {
  (void)attributes;
  return shared == 0 || shared == 1 ? 0 : EINVAL;
}

int pthread_mutexattr_setprotocol(int *attributes, int protocol) {
  (void)attributes;
  return protocol >= 0 && protocol <= 2 ? 0 : EINVAL;
}

int pthread_mutexattr_setrobust(int *attributes, int robust) {
  (void)attributes;
  if (robust != 0) __mazurka_unmodelled("robust mutexes are not modelled");
  return 0;
}

/* Other attributes change nothing here: sharing between processes, clocks, preferences. */
#define OTHER_ATTRIBUTES(type)                                    \
  int pthread_##type##attr_init(int *attributes) {                \
    *attributes = 0;                                              \
    return 0;                                                     \
  }                                                               \
  int pthread_##type##attr_destroy(int *attributes) {             \
    (void)attributes;                                             \
    return 0;                                                     \
  }                                                               \
  int pthread_##type##attr_setpshared(int *attributes, int shared) { \
    (void)attributes;                                             \
    return shared == 0 || shared == 1 ? 0 : EINVAL;               \
  }

OTHER_ATTRIBUTES(cond)
OTHER_ATTRIBUTES(rwlock)
OTHER_ATTRIBUTES(barrier)

int pthread_condattr_setclock(int *attributes, int clock) {
  (void)attributes;
  return clock == 0 || clock == 1 ? 0 : EINVAL;
}

int pthread_rwlockattr_setkind_np(int *attributes, int kind) {
  (void)attributes;
  return kind >= 0 && kind <= 2 ? 0 : EINVAL;
}

int pthread_once(void *control, void (*function)(void)) {
  if (__mazurka_once_begin(control)) {
    function();
    __mazurka_once_end(control);
  }
  return 0;
}

/* Values that belong to a thread. Keys are not given out again once deleted. */
enum { KEYS = 128, ROUNDS = 4 };

static int key_count;
static void (*destructors[KEYS])(void *);
static _Thread_local const void *thread_values[KEYS];
/* No key at or above this has a value in this thread. */
static _Thread_local unsigned used_keys;

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  int new = __atomic_fetch_add(&key_count, 1, __ATOMIC_SEQ_CST);
  keep(__mazurka_thread_finish);
  if (new >= KEYS) return EAGAIN;
  if (destructor != NULL) __atomic_store_n(&destructors[new], destructor, __ATOMIC_SEQ_CST);
  *key = (pthread_key_t)new;
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= KEYS) return EINVAL;
  __atomic_store_n(&destructors[key], NULL, __ATOMIC_SEQ_CST);
  return 0;
}

void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? (void *)thread_values[key] : NULL; }

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= KEYS) return EINVAL;
  thread_values[key] = value;
  if (key >= used_keys) used_keys = key + 1;
  return 0;
}

/* Destructors of C++ objects that belong to the thread; the last one made is the first to go. */
struct thread_exit {
  void (*function)(void *);
  void *argument;
  struct thread_exit *next;
};

static _Thread_local struct thread_exit *thread_exits;

int __cxa_thread_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  keep(__mazurka_thread_finish);
  keep(__mazurka_process_finish);
  struct thread_exit *new = malloc(sizeof *new);
  new->function = function;
  new->argument = argument;
  new->next = thread_exits;
  thread_exits = new;
  return 0;
}

static void destroy_objects(void) {
  while (thread_exits != NULL) {
    struct thread_exit *first = thread_exits;
    thread_exits = first->next;
    first->function(first->argument);
    free(first);
  }
}

/* Clean-up handlers, which the macros of <pthread.h> call where they are popped. A thread is never cancelled, so nobody jumps back to
 * where they were pushed; that a thread ends in between is not modelled. */
static _Thread_local int pushed_handlers;

int __sigsetjmp(void *buffer, int signals) {
  (void)buffer;
  (void)signals;
  return 0;
}

void __pthread_register_cancel(void *buffer) {
  (void)buffer;
  keep(__mazurka_thread_finish);
  pushed_handlers++;
}

void __pthread_unregister_cancel(void *buffer) {
  (void)buffer;
  pushed_handlers--;
}

void __pthread_unwind_next(void *buffer) {
  (void)buffer;
  abort();
}

/* The machine calls this at the end of each thread, if it is part of the program: if one of the
 * functions is that give it something to do. Thread-local variables alone say what is to be done,
 * and they are zero at first: the machine does not call it for a thread that has used none. */
void __mazurka_thread_finish(void) {
  if (pushed_handlers > 0) __mazurka_unmodelled("a thread ends between pthread_cleanup_push and pthread_cleanup_pop");
  destroy_objects();
  int again = 1;
  for (int round = 0; round < ROUNDS && again; round++) {
    again = 0;
    for (unsigned key = 0; key < used_keys; key++) {
      void *value = (void *)thread_values[key];
      if (value == NULL) continue;
      thread_values[key] = NULL;
      void (*destructor)(void *) = __atomic_load_n(&destructors[key], __ATOMIC_SEQ_CST);
      if (destructor != NULL) {
        again = 1;
        destructor(value);
      }
    }
  }
}

/* What has no effect here. */
int pthread_setname_np(pthread_t thread, const char *name) {
  (void)thread;
  (void)name;
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const void *set) {
  (void)thread;
  (void)size;
  (void)set;
  return 0;
}

/* Nobody is cancelled, but what a thread has set is what it gets back. Enabled and deferred are 0; disabled and asynchronous, 1. */
static _Thread_local int cancel_state, cancel_type;

static int set_cancel(int *what, int value, int *old) {
  if (value != 0 && value != 1) return EINVAL;
  if (old != NULL) *old = *what;
  *what = value;
  return 0;
}

int pthread_setcancelstate(int state, int *old) { return set_cancel(&cancel_state, state, old); }

int pthread_setcanceltype(int type, int *old) { return set_cancel(&cancel_type, type, old); }

void pthread_testcancel(void) {}

int pthread_setconcurrency(int level) {
  (void)level;
  return 0;
}

int pthread_getconcurrency(void) { return 0; }
