// Control flow: switch, goto, computed goto, loops, variadic functions, recursion, setjmp, assembly.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int cases(int a) { switch (a) { case 1: return 10; case 2: case 3: a += 5; case 7 ... 9: return a; case -4: break; default: return 0; } return 1; }
int sparse(unsigned long a) { switch (a) { case 0: return 1; case 1UL << 40: return 2; case ~0UL: return 3; } return 4; }
int machine(const char *code) {
    static void *const targets[] = { &&halt, &&increment, &&twice };
    int value = 0;
    goto *targets[(int)*code++];
increment: value++; goto *targets[(int)*code++];
twice: value *= 2; goto *targets[(int)*code++];
halt: return value;
}
int loops(int n) { int t = 0; for (int i = 0; i < n; i++) { if (i % 3 == 0) continue; if (i > 100) break; do { t += i; } while (t < i * 2); } while (n-- > 0) t ^= n; again: if (t > 1000) { t /= 2; goto again; } return t; }
int sum(int count, ...) { va_list list, other; va_start(list, count); va_copy(other, list); int total = 0; for (int i = 0; i < count; i++) total += va_arg(list, int); total += (int)va_arg(other, double) + (int)va_arg(other, long); va_end(other); va_end(list); return total; }
int print(const char *format, ...) { va_list list; va_start(list, format); int n = vprintf(format, list); va_end(list); return n; }
unsigned ackermann(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static jmp_buf home;
int jumps(int a) { if (setjmp(home)) return 1; if (a) longjmp(home, 2); return 0; }
int logic(int a, int b, int c) { return (a && b || !c) + (a ? b : c) + (a, b, c) + (a ?: c); }
unsigned long assembly(unsigned long a) { unsigned long r; __asm__ volatile("mov %1, %0\n\tadd $1, %0" : "=r"(r) : "r"(a) : "cc", "memory"); __asm__("" ::: "memory"); return r; }
int jumping(int a) { __asm__ goto("test %0, %0\n\tjne %l1" : : "r"(a) : "cc" : yes); return 0; yes: return 1; }
_Noreturn void stop(int code) { fprintf(stderr, "stop %d\n", code); exit(code); }
int never(int a) { if (a > 3) __builtin_unreachable(); if (__builtin_expect(a == 2, 0)) stop(1); if (a == 1) __builtin_trap(); return a; }
static int counter(void) { static int count; static int more = 5; return ++count + more--; }
__attribute__((constructor)) static void begin(void) { counter(); }
__attribute__((destructor(200))) static void end(void) { counter(); }
__attribute__((noinline, section("special"))) int placed(int a) { return a; }
__attribute__((weak)) int weak(void) { return 1; }
inline int inlined(int a) { return a + 1; }
int (*choose(int a))(int) { return a ? cases : inlined; }
int nested(int a) { { int a = 1; { int a = 2; counter(); placed(a); } placed(a); } return choose(a)(a); }
int main(int argc, char **argv) { print("%d %s %f\n", argc, argv[0], 1.5); return cases(argc) + loops(argc) + sum(2, 1, 2, 3.0, 4L) + nested(argc) + machine("\1\2\0"); }
