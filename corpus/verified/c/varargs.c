// Functions with a variable number of arguments: of several types, and handed on to vsnprintf.
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
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int sum(int count, ...)
{
    va_list list, again;
    int total = 0;
    va_start(list, count);
    va_copy(again, list);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    for (int i = 0; i < count; i++)
        total += va_arg(again, int);
    va_end(list);
    va_end(again);
    return total / 2;
}

static double mixed(const char *kinds, ...)
{
    va_list list;
    double total = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        total += *kinds == 'd' ? va_arg(list, double) : *kinds == 'l' ? (double)va_arg(list, long) : va_arg(list, int);
    va_end(list);
    return total;
}

static int print(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, 32, format, list);
    va_end(list);
    return length;
}

struct large {
    long words[4];
    char tail[3];
};

struct small {
    int one, other;
};

/* Structures too large for registers lie among the other arguments. */
static long structures(int count, ...)
{
    va_list list;
    long total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        struct large large = va_arg(list, struct large);
        struct small small = va_arg(list, struct small);
        total += large.words[0] + large.words[3] + large.tail[0] + large.tail[2] + small.one + small.other;
        total += va_arg(list, int) + (long)va_arg(list, double);
    }
    va_end(list);
    return total;
}

int main(void)
{
    struct large large = {{1, 2, 3, 4}, {5, 6, 7}};
    struct small small = {8, 9};
    assert(structures(2, large, small, 10, 11.0, large, small, 12, 13.0) == 2 * (1 + 4 + 5 + 7 + 8 + 9) + 46);
    char text[32];
    assert(sum(3, 1, 2, 3) == 6 && sum(0) == 0 && sum(9, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 9);
    assert(mixed("idldi", 1, 0.5, 2L, 0.25, 3) == 6.75);
    assert(print(text, "%d-%s-%.1f", 4, "x", 2.5) == 7 && strcmp(text, "4-x-2.5") == 0);
    return 0;
}
