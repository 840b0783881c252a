// An account that several threads use.
#ifndef ACCOUNT_H
#define ACCOUNT_H

extern int balance, deposits;

void deposit(int amount);

#endif
