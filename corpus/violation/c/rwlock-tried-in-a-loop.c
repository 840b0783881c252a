// A writer tries a read-write lock again and again while two read; the loop waits. One reader looks
// at what the writer leaves, if the writer is first.
// Count: the two readers and the writer in every order that can be told apart.
//~ none: executions=78
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
//~ violation: assertion in other#1 at 19:66
#include <pthread.h>
#include <assert.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *other(void *a) { pthread_rwlock_rdlock(&lock); x++; assert(x != 5); pthread_rwlock_unlock(&lock); return a; }
static void *more(void *a) { pthread_rwlock_rdlock(&lock); pthread_rwlock_unlock(&lock); return a; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, other, 0);
  pthread_create(&u, 0, more, 0);
  while (pthread_rwlock_trywrlock(&lock)) {}
  x = 4;
  pthread_rwlock_unlock(&lock);
  pthread_join(t, 0); pthread_join(u, 0);
  return 0;
}
