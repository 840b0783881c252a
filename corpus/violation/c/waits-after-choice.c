// An atomic section chooses, and has to wait with one of its choices: it is no step that could wait for its time.
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
//~ violation: misuse in main at 27:9
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t mutex;
static pthread_cond_t condition;

int main(void)
{
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    __VERIFIER_atomic_end();
    return 0;
}
