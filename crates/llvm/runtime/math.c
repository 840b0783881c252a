/* Mathematics that needs no more than the operations of the processor; the rest is the machine's. Functions of floats are those of
 * doubles, rounded. Errors do not set errno. */

#include "runtime.h"

union bits {
  double number;
  uint64_t word;
};

enum { BIAS = 1023, MANTISSA = 52 };

static int biased_exponent(double x) { return (int)((union bits){x}.word >> MANTISSA & 0x7ff); }

double fabs(double x) { return __builtin_fabs(x); }
double copysign(double x, double sign) { return __builtin_copysign(x, sign); }

/* Towards zero. */
double trunc(double x) {
  union bits bits = {x};
  int exponent = biased_exponent(x) - BIAS;
  if (exponent >= MANTISSA) return x;
  uint64_t fraction = exponent < 0 ? ~0ull >> 1 : ~0ull >> (12 + exponent);
  bits.word &= ~fraction;
  return bits.number;
}

double floor(double x) {
  double whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}

double ceil(double x) {
  double whole = trunc(x);
  return copysign(whole < x ? whole + 1 : whole, x);
}

double round(double x) {
  double whole = trunc(x), rest = fabs(x - whole);
  return rest >= 0.5 ? whole + copysign(1, x) : whole;
}

double rint(double x) {
  if (biased_exponent(x) - BIAS >= MANTISSA) return x;
  double large = copysign(4503599627370496.0, x);
  return copysign(x + large - large, x);
}

double nearbyint(double x) { return rint(x); }
double roundeven(double x) { return rint(x); }
long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
long lrint(double x) { return (long)rint(x); }
long long llrint(double x) { return (long long)rint(x); }

int __isnan(double x) { return x != x; }
int __isinf(double x) { return x > DBL_MAX ? 1 : x < -DBL_MAX ? -1 : 0; }
int __finite(double x) { return biased_exponent(x) != 0x7ff; }
int __signbit(double x) { return (int)((union bits){x}.word >> 63); }
int isnan(double x) { return __isnan(x); }
int isinf(double x) { return __isinf(x); }
int finite(double x) { return __finite(x); }

int __fpclassify(double x) {
  if (x != x) return 0;
  if (__isinf(x)) return 1;
  if (x == 0) return 2;
  return biased_exponent(x) == 0 ? 3 : 4;
}

int __isnanf(float x) { return x != x; }
int __isinff(float x) { return __isinf(x); }
int __finitef(float x) { return __finite(x); }
int __signbitf(float x) { return __signbit(x); }

double fmin(double x, double y) { return x != x || y < x ? y : x; }
double fmax(double x, double y) { return x != x || y > x ? y : x; }
double fdim(double x, double y) { return x > y ? x - y : x <= y ? 0 : x + y; }
double nan(const char *text) {
  (void)text;
  return __builtin_nan("");
}

double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(__isinf(x) ? 0 : x - *whole, x);
}

double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !__finite(x)) return x;
  int shift = 0;
  if (biased_exponent(x) == 0) {
    x *= 18014398509481984.0;
    shift = 54;
  }
  union bits bits = {x};
  *exponent = biased_exponent(x) - BIAS + 1 - shift;
  bits.word = (bits.word & ~(0x7ffull << MANTISSA)) | (uint64_t)(BIAS - 1) << MANTISSA;
  return bits.number;
}

static double power_of_two(int exponent) { return (union bits){.word = (uint64_t)(exponent + BIAS) << MANTISSA}.number; }

double scalbn(double x, int exponent) {
  if (exponent > 3000) exponent = 3000;
  if (exponent < -3000) exponent = -3000;
  for (; exponent > 1000; exponent -= 1000) x *= power_of_two(1000);
  /* Stay within the normal numbers up to the last step, so that there is one rounding. */
  for (; exponent < -960; exponent += 960) x *= power_of_two(-960);
  return x * power_of_two(exponent);
}

double ldexp(double x, int exponent) { return scalbn(x, exponent); }
double scalbln(double x, long exponent) { return scalbn(x, exponent > 3000 ? 3000 : exponent < -3000 ? -3000 : (int)exponent); }

int ilogb(double x) {
  if (x == 0 || x != x) return INT_MIN;
  if (__isinf(x)) return INT_MAX;
  int exponent;
  frexp(x, &exponent);
  return exponent - 1;
}

double logb(double x) {
  if (x == 0) return -__builtin_inf();
  if (!__finite(x)) return x * x;
  return ilogb(x);
}

double remainder(double x, double y) {
  if (y == 0 || !__finite(x) || y != y) return (x * y) / (x * y);
  if (__isinf(y)) return x;
  double rest = fmod(fabs(x), fabs(y)), half = fabs(y) - rest;
  int odd = fmod(trunc(fabs(x) / fabs(y)), 2) != 0;
  if (rest > half || (rest == half && odd)) rest = -half;
  return __signbit(x) ? -rest : rest;
}

double nextafter(double x, double towards) {
  if (x != x || towards != towards) return x + towards;
  if (x == towards) return towards;
  if (x == 0) return copysign((union bits){.word = 1}.number, towards);
  union bits bits = {x};
  if ((x < towards) == (x > 0)) {
    bits.word++;
  } else {
    bits.word--;
  }
  return bits.number;
}

#define OF_FLOAT(name) \
  float name##f(float x) { return (float)name(x); }
#define OF_FLOATS(name) \
  float name##f(float x, float y) { return (float)name(x, y); }

OF_FLOAT(fabs) OF_FLOAT(trunc) OF_FLOAT(floor) OF_FLOAT(ceil) OF_FLOAT(round) OF_FLOAT(rint) OF_FLOAT(nearbyint)
OF_FLOAT(sqrt) OF_FLOAT(cbrt) OF_FLOAT(exp) OF_FLOAT(exp2) OF_FLOAT(expm1) OF_FLOAT(log) OF_FLOAT(log2) OF_FLOAT(log10)
OF_FLOAT(log1p) OF_FLOAT(sin) OF_FLOAT(cos) OF_FLOAT(tan) OF_FLOAT(asin) OF_FLOAT(acos) OF_FLOAT(atan) OF_FLOAT(sinh)
OF_FLOAT(cosh) OF_FLOAT(tanh) OF_FLOAT(asinh) OF_FLOAT(acosh) OF_FLOAT(atanh) OF_FLOATS(copysign) OF_FLOATS(fmin)
OF_FLOATS(fmax) OF_FLOATS(fdim) OF_FLOATS(pow) OF_FLOATS(atan2) OF_FLOATS(hypot) OF_FLOATS(fmod)

long lroundf(float x) { return lround(x); }
long lrintf(float x) { return lrint(x); }
float ldexpf(float x, int exponent) { return (float)scalbn(x, exponent); }

/* Complex numbers: what compilers call to multiply and divide them. Infinities are not put right afterwards. */
double _Complex __muldc3(double a, double b, double c, double d) {
  return __builtin_complex(a * c - b * d, a * d + b * c);
}

double _Complex __divdc3(double a, double b, double c, double d) {
  double square = c * c + d * d;
  return __builtin_complex((a * c + b * d) / square, (b * c - a * d) / square);
}

float _Complex __mulsc3(float a, float b, float c, float d) {
  return __builtin_complex(a * c - b * d, a * d + b * c);
}

float _Complex __divsc3(float a, float b, float c, float d) {
  float square = c * c + d * d;
  return __builtin_complex((a * c + b * d) / square, (b * c - a * d) / square);
}

double creal(double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return __builtin_complex(__real__ z, -__imag__ z); }
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
