/* `long double`, `_Float16`, `__float128`: arithmetic, comparisons, conversions, passing, the library. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash;
static void mix(uint64_t value) { hash = (hash ^ value) * 0x100000001b3u + 1; }
static void line(const char *what) {
  printf("%s %016lx\n", what, hash);
  hash = 0xcbf29ce484222325u;
}
static void mix_long(long double x) {
  union { long double number; struct { uint64_t low; uint16_t high; } words; } bits = {0};
  bits.number = x;
  if (x != x) {
    mix(0x7ff8);
    return;
  }
  mix(bits.words.low);
  mix(bits.words.high);
}

static const long double numbers[] = {0.0L, -0.0L, 1.0L, -1.0L, 0.5L, 1.5L, 2.5L, -2.5L, 3.0L, 0.1L, 1.0L / 3, 1e10L, -1e4000L, 1e-4940L, LDBL_MAX, LDBL_MIN,
                                      18446744073709551615.0L, 9223372036854775808.0L, -9223372036854775809.0L, 123456.789L, 1.0L / 0.0L, -1.0L / 0.0L,
                                      0.0L / 0.0L, 3.6e-4951L, 0x1.fffffffffffffffep0L};
enum { COUNT = sizeof numbers / sizeof *numbers };

static long double sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long double total = 0;
  for (int i = 0; i < count; i++) {
    total += va_arg(list, int);
    total += va_arg(list, long double);
  }
  va_end(list);
  return total;
}

struct both { int before; long double number; char after; };
static struct both doubled(struct both b) { b.number *= 2; return b; }
struct aligned { _Alignas(16) int a[8]; };
static int structures(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = va_arg(list, int);
  struct aligned one = va_arg(list, struct aligned);
  total += (int)va_arg(list, long) + (int)va_arg(list, __int128);
  va_end(list);
  return total + one.a[0] * 100 + one.a[7] * 1000;
}
struct point { float x, y; };
struct mixed { double d; int i; };
struct wide { __int128 x; };
static double mixture(struct mixed m, ...) {
  va_list list;
  va_start(list, m);
  double total = m.d + m.i;
  for (int i = 0; i < 3; i++) {
    struct point p = va_arg(list, struct point);
    struct mixed n = va_arg(list, struct mixed);
    struct wide w = va_arg(list, struct wide);
    total += p.x + 10 * p.y + 100 * n.d + 1000 * n.i + 10000 * (double)w.x + va_arg(list, double) + *va_arg(list, int *);
    total += va_arg(list, unsigned char *) == 0;
  }
  va_end(list);
  return total;
}
static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}

int main(void) {
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      long double a = numbers[i], b = numbers[j];
      mix_long(a + b), mix_long(a - b), mix_long(a * b), mix_long(a / b), mix_long(-a);
      mix((uint64_t)((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | __builtin_isunordered(a, b) << 6));
      mix_long(copysignl(a, b));
      if (fabsl(a) < 1e30L && fabsl(b) > 1e-30L) mix_long(fmodl(a, b));
      if (!(a == 0 && b == 0)) mix_long(fminl(a, b)), mix_long(fmaxl(a, b));
    }
  line("arithmetic");
  for (int i = 0; i < COUNT; i++) {
    long double a = numbers[i];
    mix((uint64_t)(a * 0 != a * 0 ? 3 : (double)a == a)), mix_long((float)a), mix_long((double)a);
    if (fabsl(a) < 2e9L) mix((uint64_t)(int)a), mix((uint64_t)(long)a), mix((uint64_t)(unsigned)fabsl(a));
    if (a >= 0 && a < 18446744073709551616.0L) mix((uint64_t)a);
    if (fabsl(a) < 1e30L) mix((uint64_t)((__int128)a >> 3));
    mix_long(floorl(a)), mix_long(ceill(a)), mix_long(truncl(a)), mix_long(roundl(a)), mix_long(rintl(a)), mix_long(fabsl(a));
    mix_long(sqrtl(fabsl(a)));
    int exponent = 0;
    mix_long(frexpl(a, &exponent)), mix((uint64_t)(isfinite(a) ? exponent : 0));
    mix_long(ldexpl(a, 7)), mix_long(ldexpl(a, -20)), mix_long(nextafterl(a, 2)), mix_long(nextafterl(a, -1e4900L));
    long double whole;
    mix_long(modfl(a, &whole)), mix_long(whole);
    mix((uint64_t)(isnan(a) | isinf(a) << 1 | !!signbit(a) << 2 | isnormal(a) << 3 | fpclassify(a) << 4));
  }
  line("functions");
  for (int i = 0; i < 64; i++) {
    long n = (long)(0x9e3779b97f4a7c15u * (uint64_t)(i + 1));
    mix_long((long double)n), mix_long((long double)(uint64_t)n), mix_long((long double)(int)n), mix_long((long double)((__int128)n * n));
    mix_long((long double)(char)n), mix_long((long double)(i & 1)), mix_long(sqrtl((long double)(uint64_t)n));
  }
  line("integers");
  struct both b = doubled((struct both){1, 1.25L, 'x'});
  printf("%d %Lf %c %zu %zu\n", b.before, b.number, b.after, sizeof b, sizeof(long double));
  printf("%Lg %d\n", sum(3, 1, 0.5L, 2, 0.25L, 3, 0.125L), structures(4, 7, (struct aligned){{1, 2, 3, 4, 5, 6, 7, 8}}, 20L, (__int128)30));
  int one = 1;
#define GROUP(n) (struct point){n, n + 0.5f}, (struct mixed){n * 3.25, n + 4}, (struct wide){n + 5}, n * 0.75, &one, (void *)0
  printf("%f\n", mixture((struct mixed){0.5, 2}, GROUP(1), GROUP(2), GROUP(3)));
  say("%d %d %d %d %d %d %d %f %f %f %f %f %f %f %f %f %f %Lf\n", 1, 2, 3, 4, 5, 6, 7, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.L);
  say("%d %Lf %s %.30Lg %f\n", 1, 2.5L, "three", 0.1L, 4.5);
  for (int i = 0; i < COUNT; i++) {
    if (isnan(numbers[i])) continue;
    printf("%Lf|%.3Le|%Lg|%La|%.25Lg|%20.10Lf|%-12.2Lf|%+.0Lf|%#.0Lf|%012.3Lf\n", fabsl(numbers[i]) > 1e30L ? 1 : numbers[i], numbers[i], numbers[i], numbers[i],
           numbers[i], fabsl(numbers[i]) > 1e30L ? 1 : numbers[i], (long double)(i * i) / 7, (long double)i / 2, (long double)i, (long double)i / 3);
  }
  const char *texts[] = {"0.1", "-3.25e10xyz", "1e5000", "1e-5000", "inf", "0x1.8p-3", "0xfffffffffffffffff.8p0", "1.18973149535723176502e+4932", "3.6e-4951", "123456789012345678901234567890", "."};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *end;
    long double value = strtold(texts[i], &end);
    printf("%La %s|", value, end);
    printf("%a %a\n", strtod(texts[i], NULL), (double)strtof(texts[i], NULL));
  }
  volatile long double v = 1.0L;
  for (int i = 0; i < 10; i++) v = v * 3 / 2 + 0.125L;
  printf("%.18Lf\n", v);
  long double _Complex z = 1.5L + 2.5L * I;
  z = z * z / (2.0L - 1.0L * I);
  printf("%.15Lf %.15Lf\n", creall(z), cimagl(z));
  _Float16 h = (_Float16)0.1f;
  for (int i = 0; i < 5; i++) h = h * (_Float16)3.0f + (_Float16)(i / 4.0f);
  printf("%.10f %d %d\n", (double)h, h > (_Float16)1.0f, (int)h);
  long double array[3] = {1, 2, 3};
  memcpy(array + 1, array, sizeof *array);
  printf("%Lf %Lf %Lf\n", array[0], array[1], array[2]);
  __float128 q = 1;
  for (int i = 1; i < 30; i++) q = q / 3 + i;
  printf("%.17g %d %d %ld\n", (double)q, q > 20, q == q, (long)(q * 1e10));
  return 0;
}
