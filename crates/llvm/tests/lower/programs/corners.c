/* Rarer corners of C and of its extensions. */
#include <alloca.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int int4 __attribute__((vector_size(16)));
typedef float float2 __attribute__((vector_size(8)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

static int4 vectors(int4 a, int4 b) {
  int4 sum = a * b + (a >> 1) - (int4){1, 2, 3, 4};
  sum[2] = 77;
  int4 less = a < b;
  return sum ^ (less & (int4){1, 1, 1, 1});
}
static float2 scaled(float2 v, float by) { return v * by; }

/* Jumps into the middle of a loop. */
static int irreducible(int n, int in) {
  int steps = 0;
  if (in) goto middle;
top:
  steps += 100;
  if (steps > 1000) return steps;
middle:
  steps++;
  n--;
  if (n > 0 && n % 2) goto middle;
  if (n > 0) goto top;
  return steps;
}

static void duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
  }
}

struct flexible { int count; short items[]; };
struct words { __int128 wide; char tail; };
static __int128 wide(__int128 a, unsigned __int128 b, struct words w) { return a * 3 + (__int128)(b >> 70) + w.wide - w.tail; }
struct twelve { int a, b, c; };
static struct twelve rotated(struct twelve t) { return (struct twelve){t.b, t.c, t.a}; }
struct mixed { double d; char c; long l; };
static struct mixed mixed(struct mixed m, int by) { m.d *= by; m.c += by; m.l -= by; return m; }
union number { double d; int64_t i; char c[8]; };
static union number negated(union number n) { n.i ^= INT64_MIN; return n; }
struct deep { struct { struct { int x[2]; union { char c; int y; }; } in; } out[2]; };
struct signs { signed char a : 4; unsigned char b : 4; short c : 9; bool d : 1; int : 0; unsigned e : 31; long long f : 50; };
static int matrix(int rows, int columns, int grid[rows][columns]) {
  int sum = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) sum += grid[i][j] * (i - j);
  return sum;
}
static int strings(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++) {
    const char *text = va_arg(list, const char *);
    double weight = va_arg(list, double);
    unsigned long long number = va_arg(list, unsigned long long);
    total += (int)strlen(text) * (int)weight + (int)(number % 10);
  }
  va_end(list);
  return total;
}
static void through(va_list list, int *sum) { *sum += va_arg(list, int); }
static int handed(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  while (count--) through(list, &sum);
  va_end(list);
  return sum;
}
inline int inlined(int x) { return x * x; }
extern int inlined(int x);
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static _Thread_local int each[4] = {1, 2, 3, 4};
static int old_style(a, b) int a; char b; { return a * b; }
static int undeclared() { return 5; }
static volatile int seen = 3;
static const int limits[] = {[3] = 30, [1] = 10};
static int evaluation_order;
static int order(int x) { return evaluation_order = evaluation_order * 10 + x; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
typedef int (*operation)(int);
static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static operation compose_first(operation f, operation g) { return f == inc ? g : f; }

int main(void) {
  int4 v = vectors((int4){5, -6, 7, 8}, (int4){1, 2, 30, -4});
  printf("vectors %d %d %d %d\n", v[0], v[1], v[2], v[3]);
  float2 f = scaled((float2){1.5f, -2.5f}, 2);
  printf("floats %g %g\n", f[0], f[1]);
  byte16 bytes = {1, 2, 3, 250};
  bytes += 10;
  int lane = seen;
  printf("bytes %d %d %d\n", bytes[3], bytes[lane], bytes[15]);
  for (int n = 0; n < 8; n++) printf("%d %d ", irreducible(n, 0), irreducible(n, 1));
  char copy[32] = {0};
  duff(copy, "a device named after duff", 26);
  printf("%s\n", copy);
  struct flexible *flexible = malloc(sizeof *flexible + 5 * sizeof(short));
  flexible->count = 5;
  for (int i = 0; i < flexible->count; i++) flexible->items[i] = (short)(i * -1000);
  printf("flexible %d %zu\n", flexible->items[4], offsetof(struct flexible, items));
  free(flexible);
  __int128 w = wide(-5, (unsigned __int128)12345 << 90, (struct words){(__int128)1 << 80, 'b'});
  printf("wide %lx %lx\n", (unsigned long)(w >> 64), (unsigned long)w);
  struct twelve t = rotated((struct twelve){1, 2, 3});
  printf("twelve %d %d %d\n", t.a, t.b, t.c);
  struct mixed m = mixed((struct mixed){1.5, 'a', 100}, 2);
  printf("mixed %g %c %ld\n", m.d, m.c, m.l);
  union number n = negated((union number){2.25});
  printf("union %g %d\n", n.d, n.c[7]);
  struct deep deep = {0};
  deep.out[1].in.x[1] = 4, deep.out[0].in.y = 0x41424344;
  struct deep *same = &deep;
  printf("deep %d %c %d\n", same->out[1].in.x[1], deep.out[0].in.c, deep.out[1].in.y);
  struct signs s = {-8, 15, -200, true, 0x7fffffff, -1};
  s.a--, s.b++, s.c *= 2, s.e += 2, s.f <<= 3;
  printf("signs %d %d %d %d %u %lld\n", s.a, s.b, s.c, s.d, s.e, (long long)s.f);
  int rows = seen, columns = 4, grid[rows][columns];
  for (int i = 0; i < rows * columns; i++) grid[i / columns][i % columns] = i * i;
  printf("matrix %d %zu\n", matrix(rows, columns, grid), sizeof grid[0]);
  printf("variable %d %d\n", strings(3, "one", 2.5, 17ull, "three", 3.5, 4ull, "", 9.0, 6ull), handed(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  char *stack = alloca((size_t)seen * 4);
  strcpy(stack, "on stack");
  printf("%s %d %d\n", stack, inlined(7), ackermann(2, 3));
  each[seen] += each[0];
  int *mine = each;
  printf("each %d %d\n", mine[3], old_style(3, 'b') + undeclared());
  seen += 4, seen = seen * 2;
  printf("volatile %d limits %d %d %zu\n", seen, limits[1], limits[3], sizeof limits / sizeof *limits);
  int ordered = order(1) + (order(2) ? order(3), order(4) : order(5));
  printf("order %d %d\n", ordered, evaluation_order);
  int numbers[] = {5, 3, 9, -1, 7, 0};
  qsort(numbers, 6, sizeof *numbers, compare);
  for (int i = 0; i < 6; i++) printf("%d ", numbers[i]);
  int key = 7, *found = bsearch(&key, numbers, 6, sizeof *numbers, compare);
  printf("found %td\n", found - numbers);
  printf("composed %d %d\n", compose_first(inc, dbl)(10), compose_first(dbl, inc)(10));
  unsigned u = 0;
  u--;
  unsigned char narrow = u;
  short shifted = (short)(narrow << 8);
  printf("wrap %u %d %d %d\n", u, narrow, shifted, (signed char)narrow);
  printf("ternary %d %g\n", seen > 3 ? 'x' : 2, seen < 3 ? 1 : 2.5);
  printf("precedence %d %d %d\n", 1 + 2 * 3 % 4 - 5, 1 << 2 + 1, (5 & 6) == 4);
  long long minimum = INT64_MIN;
  printf("minimum %lld %d %llu\n", minimum, minimum < 0, (unsigned long long)minimum >> 63);
  printf("generic %s\n", _Generic(seen, int: "int", long: "long", default: "other"));
  static int counts[256];
  for (const char *c = "hello world"; *c; c++) counts[(unsigned char)*c]++;
  printf("counts %d %d\n", counts['l'], counts['o']);
  int *compound = (int[]){1, 2, 3}, total = 0;
  for (int i = 0; i < 3; i++) total += compound[i];
  printf("compound %d\n", total);
  bool flags[3] = {true};
  flags[2] = flags[0] ^ flags[1];
  flags[1] |= total;
  printf("flags %d %d %d\n", flags[0], flags[1], flags[2]);
  enum { SMALL = -1, LARGE = 1 << 20 } value = LARGE;
  switch (value) {
    case SMALL: puts("small"); break;
    case LARGE: puts("large");
  }
  char grown[200], *end = grown;
  for (int i = 0; i < 20; i++) end += sprintf(end, "%d,", i * i);
  printf("%s %td\n", grown, end - grown);
  printf("%s\n", &"suffix"[3]);
  printf("%d %d\n", __builtin_expect(seen > 3, 1), __builtin_constant_p(seen));
  return 0;
}
