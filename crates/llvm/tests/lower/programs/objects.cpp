// C++ without exceptions: objects, virtual functions, templates, static storage with constructors and destructors.
#include <atomic>
#include <cstdio>
#include <new>

struct Base {
  virtual ~Base() {}
  virtual int value() const = 0;
  int n = 3;
};
struct Other {
  virtual const char *name() const { return "other"; }
  long padding = 1;
};
struct Derived : Base, Other {
  int value() const override { return n * 2; }
  const char *name() const override { return "derived"; }
  ~Derived() { printf("gone\n"); }
};
template <class T> T twice(T x) { return x + x; }
struct Traced {
  int v;
  Traced(int v) : v(v) { printf("made %d\n", v); }
  ~Traced() { printf("unmade %d\n", v); }
};
static Traced early(7);
Traced &local() {
  static Traced late(9);
  return late;
}
std::atomic<int> counter{4};
namespace inner {
int copies = 0;
struct Copied {
  Copied() { copies++; }
  Copied(const Copied &) { copies += 10; }
};
}  // namespace inner
struct Pair {
  long a, b;
};
static Pair pair(long a) { return {a, a + 1}; }
struct Member {
  int x;
  int get(int y) const { return x * y; }
};
__attribute__((constructor)) static void first() { printf("first\n"); }
__attribute__((destructor)) static void last() { printf("last\n"); }

int main() {
  Derived *d = new Derived;
  Base *b = d;
  Other *o = d;
  printf("%d %s\n", b->value(), o->name());
  delete b;
  printf("%d %g\n", twice(4), twice(2.5));
  printf("%d %d\n", local().v, local().v);
  counter++;
  counter.fetch_add(3);
  printf("%d\n", counter.load());
  inner::Copied one;
  inner::Copied two = one;
  printf("%d\n", inner::copies);
  auto add = [&](int x) { return x + counter; };
  printf("%d\n", add(1));
  int *array = new int[4]{1, 2, 3};
  printf("%d %d\n", array[2], array[3]);
  delete[] array;
  Pair p = pair(5);
  printf("%ld %ld\n", p.a, p.b);
  int (Member::*method)(int) const = &Member::get;
  Member member{6};
  printf("%d\n", (member.*method)(7));
  alignas(Traced) char place[sizeof(Traced)];
  Traced *placed = new (place) Traced(1);
  placed->~Traced();
  bool flag = true;
  int &reference = member.x;
  reference += flag;
  printf("%d\n", member.x);
  return 0;
}
