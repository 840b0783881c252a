// memcpy from a block of memory to itself, one byte further: that has no meaning, memmove would have.
#include <string.h>

int main(void)
{
    char text[8] = "abcdefg";
    memcpy(text + 1, text, 4);
    return 0;
}
