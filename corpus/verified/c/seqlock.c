// A sequence lock: the writer makes the number odd while it writes; a reader that saw an odd number, or another one afterwards,
// reads once more. The data is read and written by atomics, since a reader may see it in the middle of a write.
//~ skip: none
//~ dpor: executions=107
//~ source: executions=107
//~ optimal: executions=107
//~ observers: executions=107
//~ cs: executions=107
//~ optimal-cs: executions=107
//~ optimal-cs-observers: executions=107
//~ constrained: executions=107
//~ quasi:optimal: executions=107
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 2; i++) {
        atomic_fetch_add(&sequence, 1);
        x = i;
        y = i;
        atomic_fetch_add(&sequence, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    for (;;) {
        unsigned before = sequence;
        if (before % 2 == 1)
            continue;
        int a = x, b = y;
        if (sequence == before) {
            assert(a == b);
            break;
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
