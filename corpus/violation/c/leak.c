// Memory that nobody frees, with --leaks.
//~ flags: --leaks
#include <stdlib.h>

int main(void)
{
    int *kept = malloc(sizeof *kept);
    *kept = 1;
    return 0;
}
