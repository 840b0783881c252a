/* Floating-point arithmetic, comparisons, conversions. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t hash;
static void mix(uint64_t value) { hash = (hash ^ value) * 0x100000001b3u + 1; }
static void line(const char *what) {
  printf("%s %016lx\n", what, hash);
  hash = 0xcbf29ce484222325u;
}
static uint64_t of_double(double d) {
  union { double d; uint64_t u; } x = {d};
  return d != d ? 0x7ff8000000000000u : x.u;
}
static uint32_t of_float(float f) {
  union { float f; uint32_t u; } x = {f};
  return f != f ? 0x7fc00000 : x.u;
}

static const double doubles[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 1e10, -1e10, 1e300, -1e300, 1e-300, 0.1, 123456.789,
                                 4294967296.0, 2147483648.5, 9007199254740993.0, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 5e-324};
enum { COUNT = sizeof doubles / sizeof *doubles };

struct pair { float x, y; };
static struct pair swapped(struct pair p) { return (struct pair){p.y, p.x}; }
struct three { double a; int b; float c; };
static struct three shifted(struct three t) { t.a += t.b; t.c *= 2; return t; }

int main(void) {
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      double a = doubles[i], b = doubles[j];
      mix(of_double(a + b)), mix(of_double(a - b)), mix(of_double(a * b)), mix(of_double(a / b)), mix(of_double(-a));
    }
  line("double arithmetic");
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      float a = (float)doubles[i], b = (float)doubles[j];
      mix(of_float(a + b)), mix(of_float(a - b)), mix(of_float(a * b)), mix(of_float(a / b)), mix(of_float(-a));
      mix(of_float((float)(a * 2.0))), mix(of_double((double)a + b));
    }
  line("float arithmetic");
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      double a = doubles[i], b = doubles[j];
      float f = (float)a, g = (float)b;
      mix((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
      mix((f < g) | (f <= g) << 1 | (f > g) << 2 | (f >= g) << 3 | (f == g) << 4 | (f != g) << 5);
      mix(!a), mix(a && b), mix(__builtin_isless(a, b)), mix(__builtin_isunordered(a, b));
      if (!(a < b)) mix(7);
      mix(of_double(__builtin_fmin(a, b))), mix(of_double(__builtin_fmax(a, b))), mix(of_double(__builtin_copysign(a, b)));
    }
  line("comparisons");
  for (int i = 0; i < COUNT; i++) {
    double a = doubles[i];
    if (!(a > -2e9 && a < 2e9)) continue;
    mix((uint64_t)(int)a), mix((uint64_t)(long)a), mix((uint64_t)(int)(float)a);
    if (a > -1 && a < 4e9) mix((unsigned)a), mix((unsigned long)a);
    if (a > -100 && a < 100) mix((uint64_t)(signed char)a), mix((uint64_t)(short)a);
    mix(of_double((double)(long)a)), mix(of_float((float)(unsigned)(int)(a < 0 ? -a : a)));
  }
  line("conversions");
  for (int i = 0; i < COUNT; i++) {
    double a = doubles[i];
    mix(of_double(__builtin_fabs(a))), mix(of_double(__builtin_floor(a))), mix(of_double(__builtin_ceil(a)));
    mix(of_double(__builtin_trunc(a))), mix(of_double(__builtin_round(a))), mix(of_double(__builtin_rint(a)));
    mix(of_double(__builtin_nearbyint(a))), mix(of_float(__builtin_floorf((float)a))), mix(of_float(__builtin_fabsf((float)a)));
    if (a >= 0) mix(of_double(__builtin_sqrt(a)));
  }
  line("functions");
  struct pair p = swapped((struct pair){1.5f, -2.25f});
  mix(of_float(p.x)), mix(of_float(p.y));
  struct three t = shifted((struct three){0.5, 3, 1.25f});
  mix(of_double(t.a)), mix((uint64_t)t.b), mix(of_float(t.c));
  line("structs");
  double sum = 0;
  for (int i = 1; i < 1000; i++) sum += 1.0 / i;
  float product = 1;
  for (int i = 1; i < 30; i++) product *= 1.1f;
  printf("%.17g %.9g\n", sum, product);
  sum++, product--, sum *= 2;
  printf("%a %a\n", sum, product);
  _Complex double z = 1.0 + 2.0i, w = z + z - 3.0;
  printf("%g %g\n", __real__ w, __imag__ w);
  printf("%d %u %ld\n", (int)-1.9, (unsigned)3000000000.5, (long)1e18);
  return 0;
}
