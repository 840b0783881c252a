// A branch on memory that was never written.
#include <stdlib.h>

int main(void)
{
    int *cells = malloc(2 * sizeof *cells), result = 0;
    cells[0] = 1;
    if (cells[1] > 0)
        result = 1;
    free(cells);
    return result;
}
