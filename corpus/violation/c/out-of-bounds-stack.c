// A loop that goes one too far over a local array.
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
//~ violation: out-of-bounds in main at 17:18
static int sum(const int *cells, int count)
{
    int total = 0;
    for (int i = 0; i <= count; i++)
        total += cells[i];
    return total;
}

int main(void)
{
    int cells[4] = {1, 2, 3, 4};
    return sum(cells, 4) == 10 ? 0 : 1;
}
