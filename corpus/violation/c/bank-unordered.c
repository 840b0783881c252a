// The bank of the verified programs; a transfer takes the accounts in the order of its text.
//~ flags: -- 0>1:30 1>0:5
//~ skip: none
#define BUG
#include "../../verified/c/bank.c"
