// Arithmetic of all widths: wrapping, signs, shifts, conversions, floating point, 128 bits.
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
#include <stdbool.h>
#include <stdint.h>

static uint8_t u8 = 200;
static int16_t s16 = -300;
static uint32_t u32 = 4000000000u;
static int64_t s64 = INT64_MIN + 1;
static double d = 2.75;
static float f = 0.5f;

int main(void)
{
    assert((uint8_t)(u8 + 100) == 44 && (int8_t)u8 == -56 && s16 / 7 == -42 && s16 % 7 == -6);
    assert(u32 + 500000000u == 205032704u && (int32_t)u32 < 0 && -s64 == INT64_MAX);
    assert(s16 >> 2 == -75 && (uint16_t)s16 >> 2 == 16309 && u8 << 3 == 1600 && ~u8 == -201);
    assert((int)d == 2 && (int)-d == -2 && d * 2 == 5.5 && f + d == 3.25 && d > 2 && !(d < f) && (float)d == 2.75f);
    assert((unsigned)1e9 == 1000000000u && (double)UINT64_MAX > 1e19 && (uint8_t)300 == 44);
    __int128 wide = (__int128)INT64_MAX * 4 + 3;
    assert((int64_t)(wide >> 2) == INT64_MAX && (wide & 3) == 3);
    int sum;
    assert(__builtin_add_overflow(INT32_MAX, 1, &sum) && sum == INT32_MIN);
    assert(__builtin_popcount(255) == 8 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && __builtin_bswap32(1) == 1 << 24);
    bool truth = u8;
    assert(truth == 1 && (truth ^ 1) == 0);
    return 0;
}
