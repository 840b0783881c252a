// verified 12
// Two booleans and a number of three, then as many assumptions.
// nondet 0..2
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_int();
  assert(a + b + c <= 4);
  return 0;
}
