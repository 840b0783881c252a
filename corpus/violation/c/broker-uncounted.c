// The broker of the verified programs; who publishes does not count as a user of the subscriptions
// it calls.
//~ flags: -- t/a @t/a
//~ skip: none
#define BUG
#include "../../verified/c/broker.c"
