// A shift by as many bits as there are.
//~ flags: --nondet 0..32
//~ none: executions=33
//~ dpor: executions=33
//~ source: executions=33
//~ optimal: executions=33
//~ observers: executions=33
//~ cs: executions=33
//~ optimal-cs: executions=33
//~ optimal-cs-observers: executions=33
//~ constrained: executions=33
//~ quasi:optimal: executions=33
//~ violation: shift in main at 19:24
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int bits = __VERIFIER_nondet_int();
    unsigned mask = 1u << bits;
    return mask == 0;
}
