// A block that is too small for what is written to it: the end of a string was forgotten.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *text = "mazurka";
    char *copy = malloc(strlen(text));
    strcpy(copy, text);
    free(copy);
    return 0;
}
