// The string and memory functions, on heap, stack and constants.
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
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char buffer[16], *copy = strdup("concurrency");
    assert(strlen(copy) == 11 && strcmp(copy, "concurrency") == 0 && strcmp("a", "b") < 0);
    assert(strncmp(copy, "conduct", 3) == 0 && strchr(copy, 'u') == copy + 4 && strrchr(copy, 'c') == copy + 9);
    assert(strstr(copy, "curr") == copy + 3 && strstr(copy, "none") == NULL);
    strcpy(buffer, "abc");
    strcat(buffer, "def");
    strncat(buffer, "ghijk", 2);
    assert(strcmp(buffer, "abcdefgh") == 0);
    memset(buffer, 'x', 4);
    memmove(buffer + 1, buffer + 3, 5);
    assert(memcmp(buffer, "xxefghgh", 8) == 0 && buffer[1] == 'x' && buffer[2] == 'e');
    assert(memchr(buffer, 'e', sizeof buffer) == buffer + 2);
    strncpy(buffer, "hi", 5);
    assert(buffer[2] == 0 && buffer[4] == 0);
    assert(strspn("aabc", "ab") == 3 && strcspn("aabc", "c") == 3 && strpbrk("hello", "lo")[0] == 'l');
    free(copy);
    return 0;
}
