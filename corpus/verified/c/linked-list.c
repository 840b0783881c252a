// A list that main builds and a thread walks: memory is the thread's own until it is handed over.
// Count: 1.
//~ flags: --leaks
//~ none: executions=1
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static void *sum(void *argument)
{
    int *total = malloc(sizeof *total);
    *total = 0;
    for (struct node *node = argument, *next; node; node = next) {
        next = node->next;
        *total += node->value;
        free(node);
    }
    return total;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 1; i <= 5; i++) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){i, list};
        list = node;
    }
    pthread_t thread;
    void *total;
    pthread_create(&thread, NULL, sum, list);
    pthread_join(thread, &total);
    assert(*(int *)total == 15);
    free(total);
    return 0;
}
