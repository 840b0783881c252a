// The marks of the verification competitions: reach_error and __VERIFIER_error are failures.
//~ none: executions=2
//~ dpor: executions=2
//~ source: executions=2
//~ optimal: executions=2
//~ observers: executions=2
//~ cs: executions=2
//~ optimal-cs: executions=2
//~ optimal-cs-observers: executions=2
//~ constrained: executions=2
//~ quasi:optimal: executions=2
//~ violation: assertion in main at 21:9
//~ violation: assertion in main at 23:9
extern void reach_error(void);
extern void __VERIFIER_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    if (__VERIFIER_nondet_bool())
        reach_error();
    else
        __VERIFIER_error();
    return 0;
}
