// A program of two files: functions, variables and a mutex of the other one are used here, and names that are local to a file do not meet.
// Count: the orders of two critical sections, 2.
//~ files: parts/account.c
//~ flags: -I corpus/verified/c/parts
//~ skip: none
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
#include <assert.h>
#include <pthread.h>

#include "account.h"

static int helper(int amount)
{
    return 2 * amount;
}

static void *worker(void *unused)
{
    (void)unused;
    deposit(helper(5));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    deposit(1);
    pthread_join(thread, NULL);
    assert(balance == 11 && deposits == 2);
    return 0;
}
