/* Functions of `long double`: the operations of arithmetic are exact to the last bit, functions beyond them are those of doubles. */

#include "runtime.h"

union extended {
  long double number;
  struct {
    uint64_t mantissa;
    uint16_t sign_and_exponent;
  } words;
};

enum { LONG_BIAS = 16383 };

static int long_exponent(long double x) { return (union extended){x}.words.sign_and_exponent & 0x7fff; }

long double fabsl(long double x) { return __builtin_fabsl(x); }
long double copysignl(long double x, long double sign) { return __builtin_copysignl(x, sign); }
long double truncl(long double x) { return __builtin_truncl(x); }
long double floorl(long double x) { return __builtin_floorl(x); }
long double ceill(long double x) { return __builtin_ceill(x); }
long double roundl(long double x) { return __builtin_roundl(x); }
long double rintl(long double x) { return __builtin_rintl(x); }
long double nearbyintl(long double x) { return __builtin_rintl(x); }
long double roundevenl(long double x) { return __builtin_rintl(x); }
long double sqrtl(long double x) { return __builtin_sqrtl(x); }
long double fmal(long double x, long double y, long double z) { return __builtin_fmal(x, y, z); }
long double fmodl(long double x, long double y) { return __builtin_fmodl(x, y); }
long lroundl(long double x) { return (long)roundl(x); }
long long llroundl(long double x) { return (long long)roundl(x); }
long lrintl(long double x) { return (long)rintl(x); }
long long llrintl(long double x) { return (long long)rintl(x); }
long double fminl(long double x, long double y) { return x != x || y < x ? y : x; }
long double fmaxl(long double x, long double y) { return x != x || y > x ? y : x; }
long double fdiml(long double x, long double y) { return x > y ? x - y : x <= y ? 0 : x + y; }

int __isnanl(long double x) { return x != x; }
int __isinfl(long double x) { return x > LDBL_MAX ? 1 : x < -LDBL_MAX ? -1 : 0; }
int __finitel(long double x) { return long_exponent(x) != 0x7fff; }
int __signbitl(long double x) { return (union extended){x}.words.sign_and_exponent >> 15; }

int __fpclassifyl(long double x) {
  if (x != x) return 0;
  if (__isinfl(x)) return 1;
  if (x == 0) return 2;
  return long_exponent(x) == 0 ? 3 : 4;
}

long double nanl(const char *text) {
  (void)text;
  return __builtin_nanl("");
}

long double modfl(long double x, long double *whole) {
  *whole = truncl(x);
  return copysignl(__isinfl(x) ? 0 : x - *whole, x);
}

long double frexpl(long double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !__finitel(x)) return x;
  int shift = 0;
  if (long_exponent(x) == 0) {
    x *= 0x1p64L;
    shift = 64;
  }
  union extended bits = {x};
  *exponent = long_exponent(x) - LONG_BIAS + 1 - shift;
  bits.words.sign_and_exponent = (uint16_t)((bits.words.sign_and_exponent & 0x8000) | (LONG_BIAS - 1));
  return bits.number;
}

static long double long_power_of_two(int exponent) {
  union extended bits = {0};
  bits.words.mantissa = 1ull << 63;
  bits.words.sign_and_exponent = (uint16_t)(exponent + LONG_BIAS);
  return bits.number;
}

long double scalbnl(long double x, int exponent) {
  if (exponent > 40000) exponent = 40000;
  if (exponent < -40000) exponent = -40000;
  for (; exponent > 16000; exponent -= 16000) x *= long_power_of_two(16000);
  /* Stay within the normal numbers up to the last step, so that there is one rounding. */
  for (; exponent < -16000; exponent += 16000) x *= long_power_of_two(-16000);
  return x * long_power_of_two(exponent);
}

long double ldexpl(long double x, int exponent) { return scalbnl(x, exponent); }
long double scalblnl(long double x, long exponent) {
  return scalbnl(x, exponent > 40000 ? 40000 : exponent < -40000 ? -40000 : (int)exponent);
}

int ilogbl(long double x) {
  if (x == 0 || x != x) return INT_MIN;
  if (__isinfl(x)) return INT_MAX;
  int exponent;
  frexpl(x, &exponent);
  return exponent - 1;
}

long double logbl(long double x) {
  if (x == 0) return -__builtin_infl();
  if (!__finitel(x)) return x * x;
  return ilogbl(x);
}

long double nextafterl(long double x, long double towards) {
  if (x != x || towards != towards) return x + towards;
  if (x == towards) return towards;
  union extended bits = {x};
  if (x == 0) {
    bits.words.mantissa = 1;
    bits.words.sign_and_exponent = 0;
    return copysignl(bits.number, towards);
  }
  int grows = (x < towards) == (x > 0);
  if (grows && ++bits.words.mantissa == 0) {
    bits.words.mantissa = 1ull << 63;
    bits.words.sign_and_exponent++;
  } else if (grows && bits.words.mantissa == 1ull << 63 && long_exponent(x) == 0) {
    bits.words.sign_and_exponent++;
  } else if (!grows && bits.words.mantissa-- == 1ull << 63 && long_exponent(x) > 0) {
    bits.words.sign_and_exponent--;
    bits.words.mantissa |= long_exponent(x) > 1 ? 1ull << 63 : 0;
  }
  return bits.number;
}

#define OF_LONG(name) \
  long double name##l(long double x) { return name((double)x); }
#define OF_LONGS(name) \
  long double name##l(long double x, long double y) { return name((double)x, (double)y); }

OF_LONG(cbrt) OF_LONG(exp) OF_LONG(exp2) OF_LONG(expm1) OF_LONG(log) OF_LONG(log2) OF_LONG(log10) OF_LONG(log1p) OF_LONG(sin)
OF_LONG(cos) OF_LONG(tan) OF_LONG(asin) OF_LONG(acos) OF_LONG(atan) OF_LONG(sinh) OF_LONG(cosh) OF_LONG(tanh) OF_LONG(asinh)
OF_LONG(acosh) OF_LONG(atanh) OF_LONGS(pow) OF_LONGS(atan2) OF_LONGS(hypot)

/* A power by an integer, as compilers call it. */
long double __powixf2(long double x, int exponent) {
  long double result = 1;
  for (unsigned left = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent; left > 0; left /= 2, x *= x) {
    if (left % 2 == 1) result *= x;
  }
  return exponent < 0 ? 1 / result : result;
}

long double _Complex __mulxc3(long double a, long double b, long double c, long double d) {
  return __builtin_complex(a * c - b * d, a * d + b * c);
}

long double _Complex __divxc3(long double a, long double b, long double c, long double d) {
  long double square = c * c + d * d;
  return __builtin_complex((a * c + b * d) / square, (b * c - a * d) / square);
}

long double creall(long double _Complex z) { return __real__ z; }
long double cimagl(long double _Complex z) { return __imag__ z; }
long double _Complex conjl(long double _Complex z) { return __builtin_complex(__real__ z, -__imag__ z); }
long double cabsl(long double _Complex z) { return hypotl(__real__ z, __imag__ z); }
