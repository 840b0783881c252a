// The printf family: what it prints is kept, and snprintf gives what the standard says.
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
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char line[64];

#define GIVES(expected, ...) \
    (snprintf(line, sizeof line, __VA_ARGS__) == (int)strlen(expected) && strcmp(line, expected) == 0)

int main(void)
{
    assert(GIVES("7 -7 007 +7", "%d %i %03d %+d", 7, -7, 7, 7));
    assert(GIVES("ff 0XFF 17 4294967295", "%x %#X %o %u", 255, 255, 15, -1));
    assert(GIVES("a|  b|c  |abc|", "%c|%3s|%-3s|%.3s|", 'a', "b", "c", "abcdef"));
    assert(GIVES("1.50 2.000000 1e+03", "%.2f %f %.0e", 1.5, 2.0, 1000.0));
    assert(GIVES("-5 123456789012 9", "%ld %lld %zu", -5L, 123456789012LL, (size_t)9));
    assert(GIVES("100% *  7*", "100%% *%*d*", 3, 7));
    assert(snprintf(line, 4, "%s", "longer") == 6 && strcmp(line, "lon") == 0);
    assert(sprintf(line, "%s-%d", "x", 1) == 3);
    printf("hello, %s\n", "world");
    puts("a line");
    putchar('!');
    putchar('\n');
    fprintf(stderr, "to stderr\n");
    fflush(stdout);
    return 0;
}
