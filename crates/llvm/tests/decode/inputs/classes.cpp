// C++: classes, virtual functions, templates, lambdas, references, namespaces, static initialisation, operators.
#include <atomic>
#include <thread>
#include <mutex>
#include <vector>
#include <memory>
#include <string>

namespace shapes {
struct shape { virtual ~shape() {} virtual double area() const = 0; virtual const char *name() const { return "shape"; } int tag = 1; static int made; };
int shape::made = 0;
struct square final : shape { double side; explicit square(double s) : side(s) { made++; } double area() const override { return side * side; } };
struct circle : virtual shape { double radius = 1; double area() const override { return 3.14159 * radius * radius; } const char *name() const override { return "circle"; } };
struct both : circle { int extra[3] = { 1, 2, 3 }; };
namespace { int hidden = 4; int compute() { return hidden * shape::made; } }
}

template <typename T, int N> struct ring { std::atomic<unsigned> head{ 0 }, tail{ 0 }; T slots[N]; bool push(const T &value) { unsigned t = tail.load(std::memory_order_relaxed); if (t - head.load(std::memory_order_acquire) == N) return false; slots[t % N] = value; tail.store(t + 1, std::memory_order_release); return true; } };
template <typename T> T largest(const T &a, const T &b) { return a < b ? b : a; }
template <typename... A> int total(A... values) { return (0 + ... + values); }

struct complex { double re, im; complex operator+(const complex &o) const { return { re + o.re, im + o.im }; } friend bool operator==(const complex &a, const complex &b) { return a.re == b.re && a.im == b.im; } };
enum class level : unsigned char { low = 1, high = 200 };
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
thread_local int local = factorial(5);
thread_local std::vector<int> *lazy = new std::vector<int>;
static ring<complex, 4> queue;
std::mutex mutex;
const int &reference = shapes::hidden;
int shapes::square::*member = nullptr;
double (shapes::shape::*method)() const = &shapes::shape::area;

int lambdas(int a) { int b = 3; auto by_copy = [a, b](int c) { return a + b + c; }; auto by_reference = [&](int c) mutable { b += c; return b; }; return by_copy(1) + by_reference(2) + [](auto x) { return x * 2; }(a); }
double areas(const std::vector<std::unique_ptr<shapes::shape>> &all) { double t = 0; for (const auto &one : all) t += one->area() + (one.get()->*method)(); return t; }
level raise(level l) { return l == level::low ? level::high : l; }
shapes::shape *convert(shapes::both *b) { return b; }
shapes::both *dynamic(shapes::shape *s) { return dynamic_cast<shapes::both *>(s); }
struct guard { int &count; guard(int &c) : count(c) { count++; } ~guard() { count--; } };
int scoped(int n) { static int depth; static std::string text = "once"; guard one(depth); if (n > 3) return depth; { guard two(depth); n += depth; } return n + local + (int)text.size() + (int)lazy->size(); }
int main() {
    std::vector<std::unique_ptr<shapes::shape>> all;
    all.emplace_back(new shapes::square(2)); all.emplace_back(new shapes::both);
    std::thread worker([&] { std::lock_guard<std::mutex> held(mutex); queue.push({ 1, 2 }); shapes::hidden++; });
    worker.join();
    complex z = complex{ 1, 2 } + complex{ 3, 4 };
    return (int)areas(all) + largest(3, 4) + total(1, 2, 3) + (z == complex{ 4, 6 }) + lambdas(2) + scoped(1) + (int)raise(level::low) + shapes::compute();
}
