// Text to numbers, arithmetic, sorting, mathematics.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

static void integer(const char *text, int base) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, base);
  printf("%ld %d %d | ", value, (int)(end - text), errno);
  errno = 0;
  unsigned long positive = strtoul(text, &end, base);
  printf("%lu %d %d\n", positive, (int)(end - text), errno);
}

static void fraction(const char *text) {
  char *end;
  double value = strtod(text, &end);
  printf("%.17g %d %a ", value, (int)(end - text), (double)strtof(text, NULL));
  printf("%s\n", end);
}

int main(void) {
  const char *integers[] = {"0", "42", " -17x", "+5", "0x1F", "0x", "077", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "zz", ""};
  for (int i = 0; i < 13; i++) {
    integer(integers[i], 10);
    integer(integers[i], 0);
    integer(integers[i], 36);
  }
  const char *fractions[] = {"0", "-0", "1.5", " 2.5e3x", "1e", "1e400", "1e-400", "0x1.8p1", "inf", "nan", ".5", ".", "0.1", "4.9e-324", "123456789012345678901234567890", "2.2250738585072011e-308", "9007199254740993", "0x1p-149"};
  for (int i = 0; i < 18; i++) fraction(fractions[i]);
  printf("%d %ld %lld %g\n", atoi("12abc"), atol("-5"), atoll("99"), atof("2.5"));
  printf("%d %ld %lld\n", abs(-5), labs(-6l), llabs(-7ll));
  div_t quotient = div(-7, 2);
  ldiv_t large = ldiv(100, 7);
  printf("%d %d %ld %ld %jd\n", quotient.quot, quotient.rem, large.quot, large.rem, imaxabs(-3));
  int array[20];
  for (int i = 0; i < 20; i++) array[i] = (i * 7919) % 101;
  qsort(array, 20, sizeof *array, ascending);
  for (int i = 0; i < 20; i++) printf("%d ", array[i]);
  int wanted = array[13], missing = 1000;
  int *found = bsearch(&wanted, array, 20, sizeof *array, ascending);
  printf("%td %d\n", found - array, bsearch(&missing, array, 20, sizeof *array, ascending) == NULL);
  srand(7);
  int first = rand();
  srand(7);
  printf("%d %d\n", first == rand(), first >= 0 && first <= RAND_MAX);
  printf("%s\n", getenv("HOME_OF_NOBODY") ? "set" : "not set");
  double values[] = {0.5, -0.5, 1.5, 2.5, -2.5, 1e10, 0.1, -3.7, 100.25};
  for (int i = 0; i < 9; i++) {
    double x = values[i];
    printf("%g %g %g %g %g %ld %g %g %g ", floor(x), ceil(x), trunc(x), round(x), rint(x), lround(x), fabs(x), sqrt(fabs(x)), fmod(x, 0.3));
    printf("%.12g %.12g %.12g %.12g %.12g\n", sin(x), cos(x), exp(fmin(x, 10)), log(fabs(x)), pow(fabs(x), 1.5));
    int exponent;
    double whole, mantissa = frexp(x, &exponent);
    double rest = modf(x, &whole);
    printf("%g %d %g %g %g %g %d %d\n", mantissa, exponent, whole, rest, ldexp(x, 3), copysign(2, x), x != x, x / 0 > 1e300);
  }
  printf("%g %g %.6f %.6f %g\n", fmax(1, 2), hypot(3, 4), atan2(1, 2), cbrt(27), (double)floorf(2.7f));
  char *after;
  printf("%g %s\n", strtod("nan(12_a)x", &after), after);
  printf("%g %s\n", strtod("nan(12x", &after), after);
  return 0;
}
