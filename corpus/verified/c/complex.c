// Complex numbers: products, quotients, parts.
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
#include <complex.h>

int main(void)
{
    double complex z = 1 + 2 * I, w = z * z;
    assert(creal(w) == -3 && cimag(w) == 4 && cabs(w) == 5 && conj(w) == -3 - 4 * I);
    assert(w / z == z);
    float complex f = 2 * I, g = f * f;
    assert(g == -4 && g / f == 2 * I);
    return 0;
}
