/* What C++ programs without exceptions need of libstdc++: threads, condition variables, what is done once, the ends of classes with
 * virtual functions. Names are those of the Itanium ABI; `this` is the first argument. */

#include "runtime.h"

/* What tells shared libraries apart, of which there are none. */
const char __dso_handle = 0;
const char __libc_single_threaded = 0;

/* Nobody asks for the types of objects at run time; their descriptions refer to these all the same. */
const void *const _ZTVN10__cxxabiv117__class_type_infoE[11] = {0};
const void *const _ZTVN10__cxxabiv120__si_class_type_infoE[11] = {0};
const void *const _ZTVN10__cxxabiv121__vmi_class_type_infoE[11] = {0};
const void *const _ZTVN10__cxxabiv119__pointer_type_infoE[11] = {0};

/* Static variables of functions. */
int __cxa_guard_acquire(void *guard) { return __mazurka_once_begin(guard); }
void __cxa_guard_release(void *guard) { __mazurka_once_end(guard); }

/* std::thread: what it runs is an object with a virtual function. */
struct thread_state;
typedef void (*member)(struct thread_state *);
struct thread_state {
  const member *functions;
};
enum { DELETE = 1, RUN = 2 };

void __cxa_pure_virtual(void);
void _ZNSt6thread6_StateD2Ev(struct thread_state *this) { (void)this; }
void _ZNSt6thread6_StateD1Ev(struct thread_state *this) { (void)this; }
void _ZdlPv(void *block);
void _ZNSt6thread6_StateD0Ev(struct thread_state *this) { _ZdlPv(this); }
const void *const _ZTINSt6thread6_StateE[2] = {&_ZTVN10__cxxabiv117__class_type_infoE[2], 0};
const void *const _ZTVNSt6thread6_StateE[5] = {0, &_ZTINSt6thread6_StateE, (const void *)_ZNSt6thread6_StateD1Ev,
                                               (const void *)_ZNSt6thread6_StateD0Ev, (const void *)__cxa_pure_virtual};

static void *run_thread(void *argument) {
  struct thread_state *state = argument;
  state->functions[RUN](state);
  state->functions[DELETE](state);
  return NULL;
}

void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(pthread_t *this,
                                                                                           struct thread_state **state,
                                                                                           void (*depends)(void)) {
  (void)depends;
  struct thread_state *given = *state;
  *state = NULL;
  pthread_create(this, NULL, run_thread, given);
}

int pthread_detach(pthread_t thread);

void _ZNSt6thread4joinEv(pthread_t *this) {
  if (*this == 0) __mazurka_misuse("std::thread::join of what is no thread");
  pthread_join(*this, NULL);
  *this = 0;
}

void _ZNSt6thread6detachEv(pthread_t *this) {
  if (*this == 0) __mazurka_misuse("std::thread::detach of what is no thread");
  pthread_detach(*this);
  *this = 0;
}

unsigned _ZNSt6thread20hardware_concurrencyEv(void) { return 4; }

/* std::condition_variable; the first word of a std::unique_lock is its mutex. */
int pthread_cond_destroy(void *condition);
int pthread_cond_wait(void *condition, void *mutex);
int pthread_cond_signal(void *condition);
int pthread_cond_broadcast(void *condition);

void _ZNSt18condition_variableC1Ev(void *this) { pthread_cond_init(this, NULL); }
void _ZNSt18condition_variableC2Ev(void *this) { pthread_cond_init(this, NULL); }
void _ZNSt18condition_variableD1Ev(void *this) { pthread_cond_destroy(this); }
void _ZNSt18condition_variableD2Ev(void *this) { pthread_cond_destroy(this); }
void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void *this, void **lock) { pthread_cond_wait(this, *lock); }
void _ZNSt18condition_variable10notify_oneEv(void *this) { pthread_cond_signal(this); }
void _ZNSt18condition_variable10notify_allEv(void *this) { pthread_cond_broadcast(this); }

/* std::call_once: what is to be called is handed over in variables of the thread. */
_Thread_local void *_ZSt15__once_callable;
_Thread_local void (*_ZSt11__once_call)(void);
void __once_proxy(void) { _ZSt11__once_call(); }

/* Clocks, in nanoseconds. */
long _ZNSt6chrono3_V212steady_clock3nowEv(void) {
  struct timespec now = __mazurka_now();
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

long _ZNSt6chrono3_V212system_clock3nowEv(void) { return _ZNSt6chrono3_V212steady_clock3nowEv(); }

/* std::allocator<char>, which has nothing to do; and the assertions of the standard library's own code. */
#define NOTHING(name) \
  void name(void *this) { (void)this; }

NOTHING(_ZNSaIcEC1Ev) NOTHING(_ZNSaIcEC2Ev) NOTHING(_ZNSaIcED1Ev) NOTHING(_ZNSaIcED2Ev)
NOTHING(_ZNSaIwEC1Ev) NOTHING(_ZNSaIwEC2Ev) NOTHING(_ZNSaIwED1Ev) NOTHING(_ZNSaIwED2Ev)

void _ZNSaIcEC1ERKS_(void *this, const void *other) {
  (void)this;
  (void)other;
}

void _ZNSaIcEC2ERKS_(void *this, const void *other) {
  (void)this;
  (void)other;
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) __attribute__((noreturn));

void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function, const char *text) {
  __assert_fail(text, file, (unsigned)line, function);
}
