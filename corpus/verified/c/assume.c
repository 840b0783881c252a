// What was assumed holds behind it: executions in which it does not are discarded.
// Count: 3 values of 5 go on.
//~ flags: --nondet 0..4
//~ none: executions=3 assume_blocked=2
//~ dpor: executions=3 assume_blocked=2
//~ source: executions=3 assume_blocked=2
//~ optimal: executions=3 assume_blocked=2
//~ observers: executions=3 assume_blocked=2
//~ cs: executions=3 assume_blocked=2
//~ optimal-cs: executions=3 assume_blocked=2
//~ optimal-cs-observers: executions=3 assume_blocked=2
//~ constrained: executions=3 assume_blocked=2
//~ quasi:optimal: executions=3 assume_blocked=2
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x < 3);
    if (x >= 3)
        reach_error();
    return 0;
}
