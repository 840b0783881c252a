// Structures, unions, bit fields, arrays, strings, pointers, initialisers.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct node { struct node *next; struct point at; char name[12]; };
struct flags { unsigned a : 3; signed b : 5; unsigned : 0; unsigned long c : 40; _Bool d : 1; };
union word { int i; float f; unsigned char bytes[8]; struct { short low, high; }; };
struct __attribute__((packed)) tight { char c; long l; short s[3]; };
struct large { long values[16]; };
struct flexible { int count; double data[]; };
enum colour { RED, GREEN = 7, BLUE = -3 };

static const char *const names[] = { "red", "green", "bl\"ue\\\n", NULL };
struct node last = { NULL, { 1, -2 }, "last" };
struct node first = { &last, { .y = 3 }, { 'f', 0 } };
struct node *list = &first;
int *inside = &first.at.y;
char text[] = "hello";
wchar_t wide[] = L"wide";
short table[4][3] = { { 1, 2, 3 }, { 4 } };
double numbers[3] = { 1.5, -0.0, 1e300 };
float few[2] = { 0.1f };
union word word = { .f = 2.5f };
struct tight tight = { 'x', 1L << 40, { 1, 2, 3 } };
int (*operation)(int, int);
long distance = (long)&last + 3;
static int hidden;
extern int elsewhere;
int common_one __attribute__((weak));
const int fixed = 42;
long aligned __attribute__((aligned(64))) = 9;

int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
extern int other(int a) __attribute__((alias("renamed")));
int renamed(int a) { return a * 3; }

struct point mirror(struct point p) { struct point q = { p.y, p.x }; return q; }
struct large copy(struct large in) { struct large out = in; out.values[3] = in.values[4]; return out; }
unsigned fields(struct flags *f) { f->a++; f->b = -f->b; f->c <<= 3; f->d = !f->d; return f->a + f->b + (unsigned)f->c + f->d; }
int punned(union word w) { w.bytes[3] = 7; return w.i + w.high; }
size_t length(const struct node *n) { size_t total = 0; while (n) { total += strlen(n->name); n = n->next; } return total; }
int compute(int which, int a, int b) {
    operation = which ? add : subtract;
    hidden += elsewhere;
    return operation(a, b) + (which == GREEN ? other(a) : (int)BLUE);
}
struct flexible *build(int n) {
    struct flexible *f = malloc(sizeof *f + (size_t)n * sizeof(double));
    f->count = n;
    for (int i = 0; i < n; i++) f->data[i] = i / 2.0;
    memset(text, 0, sizeof text);
    memmove(text + 1, text, 3);
    memcpy(f->data, numbers, 8);
    return f;
}
int variable(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i * i; return a[n / 2]; }
const char *name(enum colour c) { return names[c & 3]; }
int compound(void) { struct point *p = &(struct point){ 4, 5 }; int *q = (int[]){ 1, 2, 3 }; return p->x + q[1] + table[1][2]; }
volatile int port;
int poll(void) { port = 1; return port + port; }
void *offset(struct node *n) { return (char *)n - offsetof(struct node, at); }
long difference(int *a, int *b) { return a - b; }
