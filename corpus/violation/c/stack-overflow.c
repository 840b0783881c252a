// A recursion without an end.
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
//~ violation: stack-overflow in main at 15:12
static int down(int n)
{
    return down(n + 1) + 1;
}

int main(void)
{
    return down(0);
}
