// Two consumers that look once instead of in a loop: the second is woken, and the first has taken the item.
//~ skip: none
//~ dpor: executions=30
//~ source: executions=30
//~ optimal: executions=30
//~ observers: executions=30
//~ cs: executions=30
//~ optimal-cs: executions=30
//~ optimal-cs-observers: executions=30
//~ constrained: executions=30
//~ quasi:optimal: executions=30
//~ violation: assertion in consumer#1 at 27:5
//~ violation: assertion in consumer#2 at 27:5
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    if (items == 0)
        pthread_cond_wait(&not_empty, &m);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, consumer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
