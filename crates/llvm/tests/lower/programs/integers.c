/* Arithmetic, comparisons and conversions of integers of all widths. Every line is a hash of many results, so that a mistake shows
 * which operator of which type it is in. */
#include <stdint.h>
#include <stdio.h>

static uint64_t hash;
static void mix(uint64_t value) { hash = (hash ^ value) * 0x100000001b3u + 1; }
static void line(const char *type, const char *what) {
  printf("%s %s %016lx\n", type, what, hash);
  hash = 0xcbf29ce484222325u;
}

static const uint64_t values[] = {0, 1, 2, 3, 5, 7, 8, 15, 31, 63, 100, 127, 128, 129, 200, 255, 256, 1000, 32767, 32768, 65535, 65536,
                                  123456789, 2147483647, 2147483648u, 4294967295u, 4294967296u, 0x123456789abcdef0u,
                                  0x7fffffffffffffffu, 0x8000000000000000u, 0xfedcba9876543210u, 0xffffffffffffff80u,
                                  0xffffffffffff8000u, 0xffffffff80000000u, 0xfffffffffffffffeu, 0xffffffffffffffffu};
enum { COUNT = sizeof values / sizeof *values };

#define UNSIGNED(T, U, NAME, BITS)                                                       \
  static void test_##NAME(void) {                                                        \
    for (int i = 0; i < COUNT; i++)                                                      \
      for (int j = 0; j < COUNT; j++) {                                                  \
        T a = (T)values[i], b = (T)values[j];                                            \
        mix((uint64_t)(T)((U)a + (U)b)), mix((uint64_t)(T)((U)a - (U)b));                \
        mix((uint64_t)(T)((uint64_t)(U)a * (uint64_t)(U)b));                             \
      }                                                                                  \
    line(#NAME, "add sub mul");                                                          \
    for (int i = 0; i < COUNT; i++)                                                      \
      for (int j = 0; j < COUNT; j++) {                                                  \
        T a = (T)values[i], b = (T)values[j];                                            \
        if (b == 0 || (b == (T)-1 && (T)-1 < 0 && (U)a == (U)1 << (BITS - 1))) continue; \
        mix((uint64_t)(T)(a / b)), mix((uint64_t)(T)(a % b));                            \
      }                                                                                  \
    line(#NAME, "div rem");                                                              \
    for (int i = 0; i < COUNT; i++)                                                      \
      for (int j = 0; j < COUNT; j++) {                                                  \
        T a = (T)values[i], b = (T)values[j];                                            \
        mix((uint64_t)(T)(a & b)), mix((uint64_t)(T)(a | b)), mix((uint64_t)(T)(a ^ b)); \
        mix((uint64_t)(T)~a), mix((uint64_t)(T)(0 - (U)a)), mix(!a);                     \
      }                                                                                  \
    line(#NAME, "bits");                                                                 \
    for (int i = 0; i < COUNT; i++)                                                      \
      for (int by = 0; by < BITS; by++) {                                                \
        T a = (T)values[i];                                                              \
        mix((uint64_t)(T)((U)a << by)), mix((uint64_t)(T)(a >> by));                     \
      }                                                                                  \
    line(#NAME, "shifts");                                                               \
    for (int i = 0; i < COUNT; i++)                                                      \
      for (int j = 0; j < COUNT; j++) {                                                  \
        T a = (T)values[i], b = (T)values[j];                                            \
        mix((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5); \
        if (a < b) mix(1); else mix(2);                                                  \
        if (a >= 100) mix(3);                                                            \
        if (7 > a) mix(4);                                                               \
        if (a == b || a > 5) mix(5);                                                     \
        mix((uint64_t)(a < b ? a : b));                                                  \
      }                                                                                  \
    line(#NAME, "compare");                                                              \
    for (int i = 0; i < COUNT; i++) {                                                    \
      T a = (T)values[i];                                                                \
      mix((uint64_t)(int8_t)a), mix((uint64_t)(uint8_t)a), mix((uint64_t)(int16_t)a), mix((uint64_t)(uint16_t)a);   \
      mix((uint64_t)(int32_t)a), mix((uint64_t)(uint32_t)a), mix((uint64_t)(int64_t)a), mix((_Bool)a);              \
      float f = (float)a; double d = (double)a;                                          \
      union { float f; uint32_t u; } uf = {f}; union { double d; uint64_t u; } ud = {d}; \
      mix(uf.u), mix(ud.u);                                                              \
      __int128 w = a; unsigned __int128 u = (unsigned __int128)a;                        \
      mix((uint64_t)w), mix((uint64_t)(w >> 64)), mix((uint64_t)u), mix((uint64_t)(u >> 64)); \
    }                                                                                    \
    line(#NAME, "convert");                                                              \
    T x = (T)values[5];                                                                  \
    for (int i = 1; i < COUNT; i++) {                                                    \
      T a = (T)values[i];                                                                \
      mix((uint64_t)x++), mix((uint64_t)--x), mix((uint64_t)++x), mix((uint64_t)x--);    \
      x = (T)((U)x + (U)a), x ^= a, x |= 1, x &= (T)0x7f7f7f7f7f7f7f7f, x >>= 1, x = (T)((U)x << 1);                \
      if (a > 1) x /= a, x = (T)(x * 3 + 1), x %= a;                                     \
      mix((uint64_t)x);                                                                  \
    }                                                                                    \
    line(#NAME, "assign");                                                               \
  }

UNSIGNED(int8_t, uint8_t, i8, 8)
UNSIGNED(uint8_t, uint8_t, u8, 8)
UNSIGNED(int16_t, uint16_t, i16, 16)
UNSIGNED(uint16_t, uint16_t, u16, 16)
UNSIGNED(int32_t, uint32_t, i32, 32)
UNSIGNED(uint32_t, uint32_t, u32, 32)
UNSIGNED(int64_t, uint64_t, i64, 64)
UNSIGNED(uint64_t, uint64_t, u64, 64)

typedef unsigned __int128 u128;
typedef __int128 i128;
static void mix128(u128 value) { mix((uint64_t)value), mix((uint64_t)(value >> 64)); }

static void test_wide(void) {
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      u128 a = (u128)values[i] << 64 | values[j], b = (u128)values[j] * values[COUNT - 1 - i] + i;
      i128 s = (i128)a, t = (i128)b;
      mix128(a + b), mix128(a - b), mix128(a * b), mix128(a & b), mix128(a | b), mix128(a ^ b), mix128(~a), mix128(-a);
      if (b) mix128(a / b), mix128(a % b);
      if (t > 1) mix128((u128)(s / t)), mix128((u128)(s % t));
      mix(a < b), mix(a <= b), mix(a > b), mix(a >= b), mix(a == b), mix(a != b);
      mix(s < t), mix(s <= t), mix(s > t), mix(s >= t);
      mix128(a << (i * 3 + 1)), mix128(a >> (j * 3)), mix128((u128)(s >> (i + j)));
      union { double d; uint64_t u; } d = {(double)a}, e = {(double)s};
      mix(d.u), mix(e.u);
      union { float f; uint32_t u; } f = {(float)s};
      mix(f.u);
    }
  line("i128", "all");
  for (double d = 1e-3; d < 1e37; d *= 37.25) mix128((u128)d), mix128((u128)(i128)-d);
  line("i128", "from double");
}

static void test_builtins(void) {
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      uint64_t a = values[i], b = values[j];
      if (a) mix(__builtin_clzll(a)), mix(__builtin_ctzll(a));
      if ((uint32_t)a) mix(__builtin_clz((uint32_t)a)), mix(__builtin_ctz((uint32_t)a));
      mix(__builtin_popcountll(a)), mix(__builtin_popcount((uint32_t)a)), mix(__builtin_parityll(a));
      mix(__builtin_bswap16((uint16_t)a)), mix(__builtin_bswap32((uint32_t)a)), mix(__builtin_bswap64(a));
      mix(__builtin_bitreverse32((uint32_t)a)), mix(__builtin_ffsll((long long)a));
      mix(__builtin_rotateleft32((uint32_t)a, (uint32_t)b)), mix(__builtin_rotateright64(a, b));
      int32_t r; uint32_t u; int64_t l; uint64_t v; int8_t c;
      mix(__builtin_add_overflow((int32_t)a, (int32_t)b, &r)), mix((uint64_t)r);
      mix(__builtin_sub_overflow((int32_t)a, (int32_t)b, &r)), mix((uint64_t)r);
      mix(__builtin_mul_overflow((int32_t)a, (int32_t)b, &r)), mix((uint64_t)r);
      mix(__builtin_add_overflow((uint32_t)a, (uint32_t)b, &u)), mix(u);
      mix(__builtin_sub_overflow((uint32_t)a, (uint32_t)b, &u)), mix(u);
      mix(__builtin_mul_overflow((uint32_t)a, (uint32_t)b, &u)), mix(u);
      mix(__builtin_add_overflow((int64_t)a, (int64_t)b, &l)), mix((uint64_t)l);
      mix(__builtin_sub_overflow((int64_t)a, (int64_t)b, &l)), mix((uint64_t)l);
      mix(__builtin_mul_overflow((int64_t)a, (int64_t)b, &l)), mix((uint64_t)l);
      mix(__builtin_add_overflow(a, b, &v)), mix(v);
      mix(__builtin_sub_overflow(a, b, &v)), mix(v);
      mix(__builtin_mul_overflow(a, b, &v)), mix(v);
      mix(__builtin_add_overflow((int8_t)a, (int8_t)b, &c)), mix((uint64_t)c);
      mix(__builtin_mul_overflow((int8_t)a, (int8_t)b, &c)), mix((uint64_t)c);
      mix((uint64_t)__builtin_elementwise_max((int32_t)a, (int32_t)b)), mix(__builtin_elementwise_min((uint16_t)a, (uint16_t)b));
      mix((uint64_t)__builtin_elementwise_add_sat((int16_t)a, (int16_t)b));
      mix(__builtin_elementwise_add_sat((uint32_t)a, (uint32_t)b));
      mix((uint64_t)__builtin_elementwise_sub_sat((int8_t)a, (int8_t)b));
      mix(__builtin_elementwise_sub_sat((uint64_t)a, (uint64_t)b));
    }
  line("all", "builtins");
}

typedef _BitInt(13) b13;
typedef unsigned _BitInt(37) b37;

static void test_odd(void) {
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      b13 a = (b13)values[i], b = (b13)values[j];
      b37 c = (b37)values[i], d = (b37)values[j];
      mix((uint64_t)(int64_t)(b13)(a & b)), mix((uint64_t)(int64_t)(b13)(a ^ b)), mix(a < b), mix(c < d);
      mix((uint64_t)(b37)(c + d)), mix((uint64_t)(b37)(c * d)), mix((uint64_t)(b37)(c - d)), mix((uint64_t)(c >> 5));
      if (d) mix((uint64_t)(c / d)), mix((uint64_t)(c % d));
      mix((uint64_t)(int64_t)(a >> 3));
    }
  line("odd", "bits");
}

int main(void) {
  hash = 0xcbf29ce484222325u;
  test_i8(), test_u8(), test_i16(), test_u16(), test_i32(), test_u32(), test_i64(), test_u64();
  test_wide(), test_builtins(), test_odd();
  return 0;
}
