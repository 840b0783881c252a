// Numbers from text, absolute values, division with remainder, classes of characters, and random numbers that are always the same.
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
#include <ctype.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    assert(atoi(" -42x") == -42 && strtol("0x1f", &end, 0) == 31 && *end == 0);
    assert(strtoul("777", NULL, 8) == 511 && strtoll("zz", &end, 36) == 1295 && *end == 0);
    assert(abs(-3) == 3 && labs(-4L) == 4 && llabs(5LL) == 5);
    assert(div(17, 5).quot == 3 && div(17, 5).rem == 2 && ldiv(-17, 5).rem == -2);
    assert(isdigit('7') && !isdigit('x') && isalpha('q') && isspace('\t') && isupper('A') && !isupper('a'));
    assert(toupper('b') == 'B' && tolower('B') == 'b' && isxdigit('f') && ispunct('!') && isalnum('0'));
    srand(1);
    int first = rand();
    srand(1);
    assert(first == rand() && first >= 0 && first <= RAND_MAX);
    return 0;
}
