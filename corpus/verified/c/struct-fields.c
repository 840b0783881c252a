// Neighbouring fields of one structure, bytes among them, are different memory: two threads that write one each do not race.
// Count: 1.
//~ none: executions=15
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

static struct {
    char first, second;
    short third;
    int numbers[2];
} shared;

static void *one(void *unused)
{
    (void)unused;
    shared.first = 1;
    shared.numbers[0] = 10;
    return NULL;
}

static void *other(void *unused)
{
    (void)unused;
    shared.second = 2;
    shared.third = 3;
    shared.numbers[1] = 20;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared.first == 1 && shared.second == 2 && shared.third == 3);
    assert(shared.numbers[0] + shared.numbers[1] == 30);
    return 0;
}
