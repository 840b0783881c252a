/* The rest of the language: structures, unions, bit fields, switches, recursion, function pointers, variable arguments ... */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small { int a; char b; };
struct large { int items[20]; struct small nested; double d; };
union view { uint32_t word; uint8_t bytes[4]; float f; struct { uint16_t low, high; } halves; };
struct bits { unsigned a : 3; int b : 7; unsigned c : 14; unsigned long d : 40; _Bool e : 1; signed f : 2; };
struct packed { char a; int b; short c; } __attribute__((packed));
enum colour { RED, GREEN = 5, BLUE, NEGATIVE = -3 };
struct list { int value; struct list *next; };

static struct small make_small(int a, char b) { return (struct small){a, b}; }
static struct large make_large(int seed) {
  struct large l = {.nested = {seed, 'x'}, .d = seed * 0.5};
  for (int i = 0; i < 20; i++) l.items[i] = i * seed;
  return l;
}
static int sum_large(struct large l) {
  int sum = 0;
  for (int i = 0; i < 20; i++) sum += l.items[i];
  l.items[0] = 1000;
  return sum + l.nested.a + (int)l.d;
}
static long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int (*choose(int which))(int, int) { return which ? add : subtract; }
static int (*const table[])(int, int) = {add, subtract, add};

static long sum_of(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  long sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(list, int);
  for (int i = 0; i < count; i++) sum += 10 * va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return sum;
}
static double mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  double sum = 0;
  for (; *kinds; kinds++) switch (*kinds) {
      case 'i': sum += va_arg(list, int); break;
      case 'l': sum += va_arg(list, long); break;
      case 'd': sum += va_arg(list, double); break;
      case 's': sum += strlen(va_arg(list, const char *)); break;
    }
  va_end(list);
  return sum;
}
static int print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vprintf(format, list);
  va_end(list);
  return count;
}

static const char *classify(int n) {
  switch (n) {
    case -3: return "negative";
    case 0:
    case 1: return "small";
    case 2 ... 9: return "digit";
    case 1000: return "thousand";
    case 100000: return "large";
    default: return n < 0 ? "below" : "other";
  }
}
static const char *classify_long(unsigned long n) {
  switch (n) {
    case 0xffffffffffffffff: return "all";
    case 0x8000000000000000: return "top";
    case 7: return "seven";
  }
  return "none";
}
static int fall_through(int n) {
  int result = 0;
  switch (n) {
    case 3: result += 100;
    case 2: result += 10;
    case 1: result += 1; break;
    case 4: { int inner = n * 2; result = inner; break; }
  }
  return result;
}
static int counter(void) {
  static int count = 5;
  return ++count;
}
static int jumps(int n) {
  int i = 0, sum = 0;
again:
  if (i >= n) goto done;
  if (i % 3 == 0) { i++; goto again; }
  sum += i++;
  goto again;
done:
  return sum;
}
static int computed(const char *program) {
  static void *const labels[] = {&&add, &&subtract, &&stop};
  int value = 1;
  goto *labels[*program++ - 'a'];
add:
  value += 10;
  goto *labels[*program++ - 'a'];
subtract:
  value -= 3;
  goto *labels[*program++ - 'a'];
stop:
  return value;
}
static int evaluated;
static bool note(bool value) { evaluated++; return value; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int matrix[3][4] = {{1, 2, 3}, {4, 5}, {6}};
static struct list nodes[3] = {{1, &nodes[1]}, {2, &nodes[2]}, {3, NULL}};
static int *const inside = &matrix[1][2];
static const char *names[] = {"zero", "one", "two"};
static struct large initial = {{1, [5] = 2}, {3, 'q'}, 4.5};
static long difference = (char *)&initial.d - (char *)&initial;
static int tentative;
static _Thread_local int of_thread = 17;

int main(int argc, char **argv) {
  struct small s = make_small(3, 'z'), t = s;
  t.a = 4;
  printf("small %d %c %d\n", s.a, s.b, t.a);
  struct large l = make_large(7), copy = l;
  copy.items[3] = 99;
  printf("large %d %d %d %g\n", sum_large(l), l.items[0], copy.items[3] - l.items[3], copy.d);
  l = initial;
  printf("initial %d %d %c %g %ld\n", l.items[0], l.items[5], l.nested.b, l.d, difference);
  union view v = {0x40490fdb};
  printf("union %d %d %u %.5f\n", v.bytes[0], v.bytes[3], v.halves.high, v.f);
  v.bytes[1] = 0xff;
  printf("union %x\n", v.word);
  struct bits b = {5, -20, 9999, 0x123456789aul, 1, -1};
  printf("bits %d %d %d %lx %d %d\n", b.a, b.b, b.c, (unsigned long)b.d, b.e, b.f);
  b.a += 4, b.b *= 3, b.c = b.c << 1, b.d ^= 0xff, b.e = !b.e, b.f++;
  printf("bits %d %d %d %lx %d %d\n", b.a, b.b, b.c, (unsigned long)b.d, b.e, b.f);
  struct packed p = {1, 0x01020304, -5};
  p.b++;
  printf("packed %d %x %d %zu\n", p.a, p.b, p.c, sizeof p);
  enum colour c = BLUE;
  printf("enum %d %d %d\n", c, NEGATIVE, c > GREEN);
  printf("recursion %ld %d %d\n", fibonacci(15), is_even(50), is_odd(50));
  printf("pointers %d %d %d %d\n", apply(add, 3, 4), apply(choose(0), 3, 4), table[1](10, 3), (*choose(1))(1, 1));
  printf("variable %ld %g %g\n", sum_of(4, 1, 2, 3, 4), mixed("idlsd", 1, 2.5, 3L, "four", 0.25), mixed(""));
  printf("count %d\n", print("<%d %s %5.2f %c %lu>\n", 1, "two", 3.14159, '4', 5ul));
  for (int n = -4; n < 12; n += 3) printf("%s ", classify(n));
  printf("%s %s %s %s\n", classify(1000), classify(100000), classify(-3), classify(-100));
  printf("%s %s %s\n", classify_long(-1ul), classify_long(1ul << 63), classify_long(7));
  for (int n = 0; n < 6; n++) printf("%d ", fall_through(n));
  int first = counter(), second = counter();
  printf("static %d %d %d\n", first, second, counter());
  printf("jumps %d %d\n", jumps(20), computed("aababc"));
  bool r = note(false) && note(true);
  r |= note(true) || note(false);
  int chosen = note(r) ? 1 : 2;
  printf("lazily %d %d %d\n", r, chosen, evaluated);
  int x = 1, y = 2;
  swap(&x, &y);
  printf("swap %d %d\n", x, y);
  int (*row)[4] = matrix + 1;
  int total = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) total += matrix[i][j] * (i + 1);
  (*row)[3] = 8;
  printf("matrix %d %d %d %td\n", total, *inside, matrix[1][3], &matrix[2][1] - &matrix[0][3]);
  for (struct list *at = nodes; at; at = at->next) printf("%d ", at->value);
  printf("%s %s\n", names[1], *(names + 2));
  int n = argc + 6;
  int vla[n];
  for (int i = 0; i < n; i++) vla[i] = i * i;
  printf("vla %d %zu\n", vla[n - 1], sizeof vla);
  for (int i = 0; i < 3; i++) {
    char buffer[i + 1];
    memset(buffer, 'a' + i, sizeof buffer);
    printf("%.*s ", (int)sizeof buffer, buffer);
  }
  do { x += 2; if (x == 6) continue; if (x > 9) break; } while (x < 100);
  printf("loops %d\n", x);
  tentative += 3, of_thread *= 2;
  printf("globals %d %d\n", tentative, of_thread);
  char text[32] = "hello";
  strcat(text, ", world");
  char *comma = strchr(text, ',');
  *comma = ';';
  printf("%s %zu %d %d\n", text, strlen(text), strcmp(text, "hello") > 0, memcmp("abc", "abd", 3) < 0);
  memmove(text + 2, text, 5);
  printf("%s\n", text);
  struct list *heap = NULL;
  for (int i = 0; i < 5; i++) {
    struct list *node = malloc(sizeof *node);
    *node = (struct list){i * i, heap};
    heap = node;
  }
  int sum = 0;
  while (heap) {
    struct list *next = heap->next;
    sum += heap->value;
    free(heap);
    heap = next;
  }
  printf("heap %d\n", sum);
  unsigned char uc = 250;
  uc += 10;
  signed char sc = (signed char)200;
  short sh = (short)70000;
  printf("wrap %d %d %d %d\n", uc, sc, sh, (uint16_t)-1 > 0);
  int comma_value = (x = 3, y = 4, x * y);
  printf("comma %d %d\n", comma_value, ({ int inner = comma_value; inner + 1; }));
  uintptr_t address = (uintptr_t)&matrix[0][0];
  printf("address %d %d\n", *(int *)(address + 4), (address & 3) == 0);
  long long big = 1;
  for (int i = 1; i <= 20; i++) big *= i;
  printf("big %lld %llu %llx\n", big, -1ull / 3, big ^ 0xff00ff00ff00ll);
  int *none = NULL;
  printf("null %d %d %s\n", none == NULL, !none, argv[0] ? "named" : "nameless");
  void *computed = argc > 100 ? (void *)&x : (void *)text;
  printf("void %c\n", *(char *)computed);
  return comma_value;
}
