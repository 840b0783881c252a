// Atomics of all kinds and orderings, thread-locals, fences, pthreads, C11 threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>

_Atomic int counter; atomic_long total; _Atomic(char) letter; _Atomic short narrow; atomic_bool flag; _Atomic(int *) pointer; _Atomic double real; _Atomic __int128 wide;
struct pair { int a, b; }; _Atomic struct pair both; struct big { long v[4]; }; _Atomic struct big large;
atomic_flag lock = ATOMIC_FLAG_INIT;
_Thread_local int mine = 3; static __thread char buffer[16]; extern _Thread_local long theirs; _Thread_local struct pair local = { 1, 2 };
__thread int executable __attribute__((tls_model("local-exec")));
int plain; volatile _Atomic int noisy; long shared[4];

void loads(void) { plain = atomic_load(&counter) + atomic_load_explicit(&counter, memory_order_relaxed) + atomic_load_explicit(&counter, memory_order_acquire) + atomic_load_explicit(&counter, memory_order_consume) + counter + noisy + *pointer; letter = 'x'; real += 1.5; }
void stores(int v) { atomic_store(&counter, v); atomic_store_explicit(&counter, v, memory_order_relaxed); atomic_store_explicit(&counter, v, memory_order_release); counter = v; noisy = v; pointer = &plain; atomic_init(&narrow, 3); }
int updates(int v) {
    int r = atomic_fetch_add(&counter, v) + atomic_fetch_sub_explicit(&counter, v, memory_order_relaxed) + atomic_fetch_or_explicit(&counter, v, memory_order_acquire)
        + atomic_fetch_and_explicit(&counter, v, memory_order_release) + atomic_fetch_xor_explicit(&counter, v, memory_order_acq_rel) + atomic_exchange(&counter, v);
    counter++; --counter; counter += v; counter *= 3; narrow <<= 1; letter |= 1; atomic_fetch_add(&total, 5L); atomic_fetch_add(&pointer, 2); wide += v;
    return r + __sync_fetch_and_nand(&plain, v) + __sync_add_and_fetch(&plain, 1) + __atomic_fetch_max(&plain, v, __ATOMIC_SEQ_CST) + __atomic_fetch_min((unsigned *)&plain, 3u, __ATOMIC_RELAXED);
}
bool exchanges(int expected, int desired) {
    bool r = atomic_compare_exchange_strong(&counter, &expected, desired);
    r |= atomic_compare_exchange_weak(&counter, &expected, desired);
    r |= atomic_compare_exchange_strong_explicit(&counter, &expected, desired, memory_order_acq_rel, memory_order_acquire);
    r |= atomic_compare_exchange_weak_explicit(&counter, &expected, desired, memory_order_release, memory_order_relaxed);
    r |= __sync_bool_compare_and_swap(&plain, expected, desired);
    plain = __sync_val_compare_and_swap(&plain, expected, desired) + __sync_lock_test_and_set(&plain, 1);
    __sync_lock_release(&plain);
    struct pair p = both; p.a++; both = p; struct big b = large; b.v[1]--; large = b;
    return r | atomic_exchange(&flag, true);
}
void fences(void) { atomic_thread_fence(memory_order_seq_cst); atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_release); atomic_thread_fence(memory_order_acq_rel); atomic_signal_fence(memory_order_seq_cst); __sync_synchronize(); }
void spin(void) { while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) __builtin_ia32_pause(); plain++; atomic_flag_clear_explicit(&lock, memory_order_release); }
int chosen(int order) { return __atomic_load_n(&plain, order) + __atomic_add_fetch(&shared[order & 3], 1, order); }
long locals(void) { mine++; buffer[mine & 15]++; theirs += local.b; executable = 1; return theirs + *&mine; }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t condition = PTHREAD_COND_INITIALIZER; static mtx_t c11; static once_flag once = ONCE_FLAG_INIT;
static void initialise(void) { mtx_init(&c11, mtx_plain); }
static void *worker(void *argument) { pthread_mutex_lock(&mutex); plain += *(int *)argument; while (!plain) pthread_cond_wait(&condition, &mutex); pthread_mutex_unlock(&mutex); return argument; }
static int modern(void *argument) { call_once(&once, initialise); mtx_lock(&c11); shared[0]++; mtx_unlock(&c11); return (int)(long)argument; }
int main(void) {
    pthread_t threads[3]; int arguments[3] = { 1, 2, 3 }; thrd_t other;
    for (int i = 0; i < 3; i++) if (pthread_create(&threads[i], NULL, worker, &arguments[i])) abort();
    thrd_create(&other, modern, (void *)7L);
    pthread_cond_broadcast(&condition);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    thrd_join(other, NULL);
    return 0;
}
