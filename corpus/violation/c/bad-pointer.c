// A number that is no address is used as one.
#include <stdint.h>

int main(void)
{
    int *pointer = (int *)(uintptr_t)0xdeadbeef;
    return *pointer;
}
