// A node is freed by one thread while another still reads it.
//~ none: executions=5
//~ dpor: executions=3
//~ source: executions=3
//~ optimal: executions=3
//~ observers: executions=3
//~ cs: executions=3
//~ optimal-cs: executions=3
//~ optimal-cs-observers: executions=3
//~ constrained: executions=3
//~ quasi:optimal: executions=3
//~ violation: use-after-free in reader#1 at 28:20
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};

static struct node *_Atomic current;

static void *reader(void *unused)
{
    (void)unused;
    struct node *node = current;
    if (node)
        node->value++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    current = calloc(1, sizeof(struct node));
    pthread_create(&thread, NULL, reader, NULL);
    struct node *mine = atomic_exchange(&current, NULL);
    free(mine);
    pthread_join(thread, NULL);
    return 0;
}
