/* Text to numbers. Decimal fractions are rounded correctly: the machine does it (up to 800 digits; those beyond only say whether
 * there is more). */

#include "runtime.h"

static int digit_value(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'z') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'Z') return byte - 'A' + 10;
  return 99;
}

/* The magnitude of an integer, and what else there is to know of it. */
struct scanned {
  unsigned long long magnitude;
  int negative, overflow;
  const char *end;
};

static void scan_integer(const char *text, int base, struct scanned *result) {
  const char *at = text;
  result->magnitude = 0;
  result->negative = result->overflow = 0;
  result->end = text;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return;
  }
  while (isspace((unsigned char)*at)) at++;
  if (*at == '-' || *at == '+') result->negative = *at++ == '-';
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_value(at[2]) < 16) {
    base = 16;
    at += 2;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  for (;; at++) {
    int digit = digit_value(*at);
    if (digit >= base) return;
    unsigned long long larger;
    if (__builtin_mul_overflow(result->magnitude, (unsigned long long)base, &larger) ||
        __builtin_add_overflow(larger, (unsigned long long)digit, &larger)) {
      result->overflow = 1;
    } else {
      result->magnitude = larger;
    }
    result->end = at + 1;
  }
}

long long strtoll(const char *text, char **end, int base) {
  struct scanned number;
  scan_integer(text, base, &number);
  if (end != NULL) *end = (char *)number.end;
  unsigned long long limit = (unsigned long long)LLONG_MAX + (unsigned long long)number.negative;
  if (number.overflow || number.magnitude > limit) {
    errno = ERANGE;
    return number.negative ? LLONG_MIN : LLONG_MAX;
  }
  return (long long)(number.negative ? 0ull - number.magnitude : number.magnitude);
}

unsigned long long strtoull(const char *text, char **end, int base) {
  struct scanned number;
  scan_integer(text, base, &number);
  if (end != NULL) *end = (char *)number.end;
  if (number.overflow) {
    errno = ERANGE;
    return ULLONG_MAX;
  }
  return number.negative ? 0ull - number.magnitude : number.magnitude;
}

long strtol(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long strtoul(const char *text, char **end, int base) { return strtoull(text, end, base); }
intmax_t strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
uintmax_t strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }
long __isoc23_strtol(const char *text, char **end, int base) { return strtoll(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoull(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int atoi(const char *text) { return (int)strtoll(text, NULL, 10); }
long atol(const char *text) { return strtoll(text, NULL, 10); }
long long atoll(const char *text) { return strtoll(text, NULL, 10); }

enum { DIGITS = 800 };

/* A number written as <digits>e<exponent>, for the machine to read. */
struct decimal {
  char text[DIGITS + 32];
  size_t length;
  /* Digits written, those of no importance left out; whether such were not zero; what they add to the exponent. */
  int digits, sticky;
  long exponent;
};

static void add_digit(struct decimal *number, char digit, int fraction) {
  if (number->digits == 0 && digit == '0') {
    if (fraction) number->exponent--;
  } else if (number->digits < DIGITS) {
    number->text[number->length++] = digit;
    number->digits++;
    if (fraction) number->exponent--;
  } else {
    if (digit != '0') number->sticky = 1;
    if (!fraction) number->exponent++;
  }
}

static void add_exponent(struct decimal *number) {
  if (number->digits == 0) number->text[number->length++] = '0';
  if (number->sticky) {
    number->text[number->length++] = '1';
    number->exponent--;
  }
  number->text[number->length++] = 'e';
  long left = number->exponent;
  if (left < 0) {
    number->text[number->length++] = '-';
    left = -left;
  }
  char digits[20];
  int count = 0;
  do {
    digits[count++] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  while (count > 0) number->text[number->length++] = digits[--count];
}

/* After the letter: sign and digits, if there are any. */
static const char *scan_exponent(const char *at, const char *otherwise, long *exponent) {
  int negative = 0;
  if (*at == '-' || *at == '+') negative = *at++ == '-';
  if (*at < '0' || *at > '9') return otherwise;
  long value = 0;
  for (; *at >= '0' && *at <= '9'; at++) {
    if (value < 100000000) value = value * 10 + (*at - '0');
  }
  *exponent += negative ? -value : value;
  return at;
}

static const char *scan_decimal(const char *at, struct decimal *number) {
  int any = 0;
  number->length = 0;
  number->digits = number->sticky = 0;
  number->exponent = 0;
  const char *end = at;
  for (; *at >= '0' && *at <= '9'; at++, any = 1) add_digit(number, *at, 0);
  if (any) end = at;
  if (*at == '.') {
    at++;
    for (; *at >= '0' && *at <= '9'; at++, any = 1) add_digit(number, *at, 1);
    if (any) end = at;
  }
  if (!any) return NULL;
  if (*end == 'e' || *end == 'E') end = scan_exponent(end + 1, end, &number->exponent);
  if (number->exponent > 1000000) number->exponent = 1000000;
  if (number->exponent < -1000000) number->exponent = -1000000;
  add_exponent(number);
  return end;
}

/* What is to be made of a number: its format. */
enum format { SINGLE, DOUBLE, EXTENDED };

/* How many bits its mantissa has; the exponent of its smallest bit. */
static const int mantissa_bits[] = {24, 53, 64}, lowest_bit[] = {-149, -1074, -16445};
static const long double largest[] = {FLT_MAX, DBL_MAX, LDBL_MAX};

/* m * 2^e, exact or rounded once: m has at most 127 bits, its last one says whether there is more. */
static long double scale(unsigned __int128 mantissa, long exponent, enum format format) {
  if (mantissa == 0) return 0;
  uint64_t high = (uint64_t)(mantissa >> 64);
  int top = high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)mantissa);
  long drop = top + 1 - mantissa_bits[format];
  if (exponent + drop < lowest_bit[format]) drop = lowest_bit[format] - exponent;
  if (drop > 0) {
    if (drop > 127) return 0;
    unsigned __int128 half = (unsigned __int128)1 << (drop - 1), rest = mantissa & ((half << 1) - 1);
    mantissa >>= drop;
    if (rest > half || (rest == half && (mantissa & 1))) mantissa++;
    exponent += drop;
  }
  return scalbnl((long double)mantissa, exponent > 40000 ? 40000 : exponent < -40000 ? -40000 : (int)exponent);
}

static const char *scan_hexadecimal(const char *at, enum format format, long double *value) {
  unsigned __int128 mantissa = 0;
  long exponent = 0;
  int any = 0, fraction = 0;
  const char *end = NULL;
  for (;; at++) {
    int digit = digit_value(*at);
    if (*at == '.' && !fraction) {
      fraction = 1;
      continue;
    }
    if (digit >= 16) break;
    any = 1;
    if (mantissa >> 120 == 0) {
      mantissa = mantissa << 4 | (unsigned)digit;
      if (fraction) exponent -= 4;
    } else {
      if (digit != 0) mantissa |= 1;
      if (!fraction) exponent += 4;
    }
  }
  if (!any) return NULL;
  end = at;
  if (*at == 'p' || *at == 'P') end = scan_exponent(at + 1, at, &exponent);
  if (exponent > 100000) exponent = 100000;
  if (exponent < -100000) exponent = -100000;
  *value = scale(mantissa, exponent, format);
  return end;
}

static int begins_with(const char *text, const char *word) {
  for (; *word != 0; text++, word++) {
    if (tolower((unsigned char)*text) != *word) return 0;
  }
  return 1;
}

static const char *scan_special(const char *at, long double *value) {
  if (begins_with(at, "infinity")) {
    *value = __builtin_infl();
    return at + 8;
  }
  if (begins_with(at, "inf")) {
    *value = __builtin_infl();
    return at + 3;
  }
  if (begins_with(at, "nan")) {
    *value = __builtin_nanl("");
    at += 3;
    const char *end = at;
    if (*end == '(') {
      do end++;
      while (isalnum((unsigned char)*end) || *end == '_');
    }
    return *end == ')' ? end + 1 : at;
  }
  return NULL;
}

static long double nearest(const struct decimal *number, enum format format) {
  if (format == SINGLE) return __mazurka_parse_float(number->text, number->length);
  if (format == DOUBLE) return __mazurka_parse_double(number->text, number->length);
  long double value;
  __mazurka_parse_long_double(number->text, number->length, &value);
  return value;
}

static long double scan_number(const char *text, char **end, enum format format) {
  const char *at = text;
  while (isspace((unsigned char)*at)) at++;
  int negative = 0;
  if (*at == '-' || *at == '+') negative = *at++ == '-';
  long double value = 0;
  const char *stop = scan_special(at, &value);
  if (stop == NULL) {
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) stop = scan_hexadecimal(at + 2, format, &value);
    int zero = 1;
    if (stop == NULL) {
      struct decimal number;
      stop = scan_decimal(at, &number);
      if (stop != NULL) {
        value = nearest(&number, format);
        zero = number.digits == 0;
      }
    }
    if (value > largest[format] || (value == 0 && !zero)) errno = ERANGE;
    if (value > largest[format]) value = __builtin_infl();
  }
  if (end != NULL) *end = (char *)(stop == NULL ? text : stop);
  return negative && stop != NULL ? -value : value;
}

double strtod(const char *text, char **end) { return (double)scan_number(text, end, DOUBLE); }
float strtof(const char *text, char **end) { return (float)scan_number(text, end, SINGLE); }
long double strtold(const char *text, char **end) { return scan_number(text, end, EXTENDED); }
double atof(const char *text) { return (double)scan_number(text, NULL, DOUBLE); }
