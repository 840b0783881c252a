// Integers of all widths, floating point, conversions, comparisons, shifts, vectors, complex numbers.
#include <complex.h>
#include <math.h>
#include <stdint.h>

typedef int four __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(32)));
typedef double pair __attribute__((vector_size(16)));
typedef signed char bytes __attribute__((vector_size(16)));

signed char c; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul;
__int128 wide = ((__int128)1 << 100) - 3; unsigned __int128 uwide; _Bool b; float f; double d; long double ld = 3.25L;
_Float16 h = 1.5f16; __float128 q; _BitInt(37) odd = 12345678901wb; unsigned _BitInt(200) huge;
const double infinite = INFINITY; const float not = NAN; const double tiny = 5e-324; const long double third = 1.0L / 3.0L;

int integers(int a, int b) { return (a + b) * (a - b) / (b | 1) % 7 ^ (a & b) | ~a << 3 >> 2; }
unsigned unsigneds(unsigned a, unsigned b) { return (a + b) * (a - b) / (b | 1) % 7 ^ (a & b) | ~a << 3 >> 2; }
long widths(void) { c += uc; uc = c * 2; s = us >> 1; us = s; i = c + s; u = uc + us; l = i; ul = u; l += s; b = l != 0; return l + (long)ul + b; }
__int128 wides(__int128 a, unsigned __int128 x) { wide = a * wide + (__int128)(x >> 70); uwide = x / 10; return wide % 1000 - (__int128)uwide; }
int compare(int a, unsigned x, double y, double z, int *p, int *r) {
    return (a < 3) + (a <= 4) + (a > 5) + (a >= 6) + (a == 7) + (a != 8) + (x < 3) + (x <= 4) + (x > 5) + (x >= 6)
        + (y < z) + (y <= z) + (y > z) + (y >= z) + (y == z) + (y != z) + !(y < z) + __builtin_isunordered(y, z) + (p < r) + (p == r) + !p;
}
double floating(double x, float y, long double z) { f = y * 0.1f + 1.0f; d = x / f - 2.5; ld = z * d + 1e-10L; h = f; return d + (double)ld - -x + fmod(x, 3.0) + (y > 0 ? 1.0 : -1.0); }
long convert(double x, float y, int a, unsigned long n) { d = a; f = n; i = x; u = y; ul = x; s = y; ld = a; q = x; c = ld; h = a; return (long)x + (long)y + (long)h + (long)q + (unsigned char)x; }
double complex complicated(double complex x, float complex y) { return x * y + conj(x) / 2.0; }
four vectors(four a, four x) { four m = a < x; a[2] = 7; return (a + x * 3 - (a >> 1)) & m | __builtin_shufflevector(a, x, 0, 4, -1, 5); }
floats vector_floats(floats a, float x) { floats v = a * x + 1.0f; v[3] = v[0] - a[7]; return -v; }
pair doubles(pair a, pair x) { return a / x - (pair){ 1.0, 2.0 }; }
bytes narrow(bytes a) { return a + (bytes){ 1, 2, 3 } + __builtin_shufflevector(a, a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); }
float horizontal(floats a) { float t = 0; for (int k = 0; k < 8; k++) t += a[k]; return t; }
int odd_width(int a) { odd += a; odd <<= 2; huge += 1uwb; return (int)(odd >> 5); }
int bits(unsigned x, unsigned long y) { return __builtin_popcount(x) + __builtin_clz(x | 1) + __builtin_ctzl(y | 1) + __builtin_bswap32(x) + __builtin_parity(x); }
int overflow(int a, int x, unsigned y) { int r; unsigned v; if (__builtin_add_overflow(a, x, &r)) return 1; if (__builtin_mul_overflow(y, 3u, &v)) return 2; return __builtin_sub_overflow(a, x, &r); }
uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }
double library(double x) { return sqrt(x) + fabs(x) + floor(x) + sin(x) + pow(x, 2) + copysign(1, x) + fma(x, x, 1) + fmin(x, 2) + trunc(x); }
int64_t literal(int k) { switch (k) { case 0: return INT64_MIN; case 1: return INT64_MAX; case 2: return -1; case 3: return UINT32_MAX; default: return 0x123456789abcdefL; } }
