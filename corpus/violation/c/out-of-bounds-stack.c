// A loop that goes one too far over a local array.
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
