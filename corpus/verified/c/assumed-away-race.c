// What a thread does in an atomic section before an assumption of it fails never happens. So nobody
// sees the flag, and nobody but the second thread writes y.
//~ none: executions=0 assume_blocked=10
//~ dpor: executions=0 blocked=1 assume_blocked=3
//~ source: executions=0 blocked=1 assume_blocked=3
//~ optimal: executions=0 assume_blocked=3
//~ observers: executions=0 assume_blocked=3
//~ cs: executions=0 blocked=1 assume_blocked=3
//~ optimal-cs: executions=0 assume_blocked=3
//~ optimal-cs-observers: executions=0 assume_blocked=3
//~ constrained: executions=0 blocked=1 assume_blocked=3
//~ quasi:optimal: executions=0 assume_blocked=3
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static atomic_int flag;
static atomic_int passes;
static int y;

static void *fails(void *arg) {
  __VERIFIER_atomic_begin();
  flag = 1;
  __VERIFIER_assume(passes);
  __VERIFIER_atomic_end();
  return arg;
}

static void *writes(void *arg) {
  y = 1;
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, fails, 0);
  pthread_create(&other, 0, writes, 0);
  if (flag == 1)
    y = 2;
  return 0;
}
