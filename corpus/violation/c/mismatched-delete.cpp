// An array is given back as if it were one thing.
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
//~ violation: invalid-free in main at 17:5
int main()
{
    int *numbers = new int[3];
    numbers[0] = 1;
    delete numbers;
    return 0;
}
