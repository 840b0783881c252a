// An index that two threads draw at the same time can be beyond the end of the table.
//~ skip: none
//~ dpor: executions=108 blocked=9
//~ source: executions=108 blocked=9
//~ optimal: executions=108
//~ observers: executions=108
//~ cs: executions=108 blocked=9
//~ optimal-cs: executions=108
//~ optimal-cs-observers: executions=108
//~ constrained: executions=108 blocked=9
//~ quasi:optimal: executions=108
//~ violation: out-of-bounds in worker#1 at 25:21
//~ violation: out-of-bounds in worker#2 at 25:21
//~ violation: out-of-bounds in worker#3 at 25:21
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, table[2];

static void *worker(void *unused)
{
    (void)unused;
    if (next < 2) {
        int mine = atomic_fetch_add(&next, 1);
        table[mine] = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
