// Loops, switches, goto, short-circuit evaluation, conditional expressions, recursion, local arrays of variable length.
// Count: 1.
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
#include <assert.h>

static int calls;

static int count(int value)
{
    calls++;
    return value;
}

static int name(int n)
{
    switch (n) {
    case -1: return 10;
    case 0:
    case 1: n += 5;
    /* fall through */
    case 100: return n + 1;
    case 1000 ... 1005: return 7;
    default: return 0;
    }
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int total(int n)
{
    int cells[n], sum = 0;
    for (int i = 0; i < n; i++)
        cells[i] = i * i;
    for (int i = n; i-- > 0;)
        sum += cells[i];
    return sum;
}

int main(void)
{
    assert(!(count(0) && count(1)) && calls == 1 && (count(1) || count(0)) && calls == 2);
    assert(name(-1) == 10 && name(0) == 6 && name(1) == 7 && name(100) == 101 && name(1003) == 7 && name(2) == 0);
    assert(fibonacci(12) == 144 && total(5) == 30);
    int i = 0;
again:
    do {
        if (++i % 2)
            continue;
        if (i == 6)
            break;
    } while (i < 10);
    if (i < 7)
        goto again;
    assert(i == 10);
    return 0;
}
