// Threads take the locks of nodes on the heap, from the head on.
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t m;
    struct node *next, *before;
};
static struct node *head, *tail;

static void *first(void *unused) {
    pthread_mutex_lock(&head->m);
    pthread_mutex_lock(&head->next->m);
    pthread_mutex_unlock(&head->next->m);
    pthread_mutex_unlock(&head->m);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&head->m);
    pthread_mutex_lock(&tail->m);
    pthread_mutex_unlock(&tail->m);
    pthread_mutex_unlock(&head->m);
    return unused;
}

static struct node *make(void) {
    struct node *node = calloc(1, sizeof *node);
    pthread_mutex_init(&node->m, NULL);
    return node;
}

int main(void) {
    head = make();
    tail = make();
    head->next = tail;
    tail->before = head;
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(head);
    free(tail);
    return 0;
}
