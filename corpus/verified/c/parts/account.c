// The other half of several-files.c.
#include "account.h"

#include <pthread.h>

int balance;
int deposits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int helper(int amount)
{
    return amount;
}

void deposit(int amount)
{
    pthread_mutex_lock(&m);
    balance += helper(amount);
    deposits++;
    pthread_mutex_unlock(&m);
}
