// violation Assertion
// nondet -3..3
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 1);
  if (x == 3) reach_error();
  return 0;
}
