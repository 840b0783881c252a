// A semaphore is no plain memory: to ask for its value, here into a shared variable, races with no
// operation on it, in an atomic section or not.
//~ none: executions=2
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <pthread.h>
#include <semaphore.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static sem_t sem;
static int value;

static void *takes(void *arg) {
  __VERIFIER_atomic_begin();
  sem_wait(&sem);
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t one;
  sem_init(&sem, 0, 1);
  pthread_create(&one, 0, takes, 0);
  sem_getvalue(&sem, &value);
  pthread_join(one, 0);
  return value < 0 || value > 1;
}
