// The threads of C11: creation, joining with a result, mutexes, condition variables, call_once, thread-specific storage.
//~ skip: none
//~ dpor: executions=4
//~ source: executions=4
//~ optimal: executions=4
//~ observers: executions=4
//~ cs: executions=4
//~ optimal-cs: executions=4
//~ optimal-cs-observers: executions=4
//~ constrained: executions=4
//~ quasi:optimal: executions=4
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int made, ready;

static void make(void)
{
    made++;
}

static int worker(void *argument)
{
    int *number = argument;
    call_once(&once, make);
    tss_set(key, number);
    mtx_lock(&m);
    ready++;
    cnd_signal(&c);
    mtx_unlock(&m);
    return *(int *)tss_get(key) + 1;
}

int main(void)
{
    thrd_t thread;
    int number = 41, result;
    assert(mtx_init(&m, mtx_plain) == thrd_success && cnd_init(&c) == thrd_success);
    assert(tss_create(&key, NULL) == thrd_success);
    assert(thrd_create(&thread, worker, &number) == thrd_success);
    call_once(&once, make);
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    assert(thrd_join(thread, &result) == thrd_success && result == 42 && made == 1);
    assert(tss_get(key) == NULL);
    tss_delete(key);
    mtx_destroy(&m);
    cnd_destroy(&c);
    return 0;
}
