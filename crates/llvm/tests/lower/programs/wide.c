/* Integers of more than 64 bits, of any number of them. */
#include <stdint.h>
#include <stdio.h>

static uint64_t hash;
static void mix(unsigned __int128 value) { hash = (hash ^ (uint64_t)value ^ (uint64_t)(value >> 64) * 3) * 0x100000001b3u + 1; }
static void line(const char *what) {
  printf("%s %016lx\n", what, hash);
  hash = 0xcbf29ce484222325u;
}
static const __int128 numbers[] = {0, 1, -1, 7, -8, INT64_MAX, INT64_MIN, (__int128)INT64_MAX + 1, (__int128)1 << 79, -((__int128)1 << 79), ((__int128)1 << 99) - 1,
                                   -((__int128)1 << 99), (__int128)0x0123456789abcdef << 40, (__int128)(((unsigned __int128)1 << 127) - 1), (__int128)((unsigned __int128)1 << 127)};
enum { COUNT = sizeof numbers / sizeof *numbers };
typedef _BitInt(100) s100;
typedef unsigned _BitInt(100) u100;
typedef unsigned _BitInt(65) u65;
struct packed { s100 a; u65 b; char c; };

int main(void) {
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      __int128 a = numbers[i], b = numbers[j], r;
      unsigned __int128 ur;
      mix((unsigned)__builtin_add_overflow(a, b, &r)), mix((unsigned __int128)r);
      mix((unsigned)__builtin_sub_overflow(a, b, &r)), mix((unsigned __int128)r);
      mix((unsigned)__builtin_mul_overflow(a, b, &r)), mix((unsigned __int128)r);
      mix((unsigned)__builtin_add_overflow((unsigned __int128)a, (unsigned __int128)b, &ur)), mix(ur);
      mix((unsigned)__builtin_sub_overflow((unsigned __int128)a, (unsigned __int128)b, &ur)), mix(ur);
      mix((unsigned)__builtin_mul_overflow((unsigned __int128)a, (unsigned __int128)b, &ur)), mix(ur);
      uint64_t u;
      int64_t s;
      mix((unsigned)__builtin_add_overflow((int64_t)a, (uint64_t)b, &u)), mix(u);
      mix((unsigned)__builtin_mul_overflow((int64_t)a, (uint64_t)b, &u)), mix(u);
      mix((unsigned)__builtin_sub_overflow((uint64_t)a, (int64_t)b, &s)), mix((uint64_t)s);
      mix((unsigned)__builtin_mul_overflow((uint64_t)a, (uint64_t)b, &s)), mix((uint64_t)s);
    }
  line("overflow");
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      s100 a = (s100)numbers[i], b = (s100)numbers[j];
      u100 ua = (u100)a, ub = (u100)b;
      mix((unsigned __int128)(ua + ub)), mix((unsigned __int128)(ua - ub)), mix((unsigned __int128)(ua * ub));
      if (ub != 0) mix((unsigned __int128)(ua / ub)), mix((unsigned __int128)(ua % ub));
      if (b != 0 && b != -1) mix((unsigned __int128)(__int128)(a / b)), mix((unsigned __int128)(__int128)(a % b));
      mix((unsigned)((a < b) | (a == b) << 1 | (ua < ub) << 2 | (a >= b) << 3));
      mix((unsigned __int128)(ua >> (j * 6))), mix((unsigned __int128)(ua << (j * 6))), mix((unsigned __int128)(__int128)(a >> (j * 6)));
      u65 c = (u65)ua * (u65)3;
      mix(c), mix((unsigned __int128)(~c));
    }
  line("bits");
  for (int i = 0; i < COUNT; i++) {
    double d = (double)(s100)numbers[i], e = (double)(u100)numbers[i];
    mix((unsigned __int128)(__int128)(s100)(d / 4)), mix((u100)(e / 4));
    struct packed p = {(s100)numbers[i], (u65)numbers[i], 'x'}, q = p;
    q.b += 5;
    mix((unsigned __int128)(__int128)q.a), mix(q.b), mix((unsigned)q.c);
  }
  line("conversions");
  return 0;
}
