// The result of main was never written: it is reported where main returns.
//~ none: executions=1
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
//~ violation: uninitialised in main at 18:5

int main(void)
{
    int result;
    int *here = &result; // keeps it in memory
    return *here;
}
