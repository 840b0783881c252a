// verified
// C++: threads, mutexes, condition variables and shared pointers of the standard library.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
std::condition_variable c;
std::once_flag flag;
std::atomic<int> a;
int x;
bool ready;
struct Base {
  virtual ~Base() {}
  virtual int get() { return 1; }
};
struct Derived : Base {
  int get() override { return 2; }
};
int main() {
  std::thread t([] {
    std::call_once(flag, [] { x = 10; });
    {
      std::lock_guard<std::mutex> lock(m);
      x++;
      ready = true;
    }
    c.notify_one();
    a++;
  });
  {
    std::unique_lock<std::mutex> lock(m);
    c.wait(lock, [] { return ready; });
    x++;
  }
  a++;
  t.join();
  assert(x == 12 && a == 2);
  std::unique_ptr<Base> base(new Derived);
  assert(base->get() == 2);
  auto one = std::make_shared<int>(5);
  auto other = one;
  assert(*other == 5 && one.use_count() == 2);
  std::vector<int> numbers;
  for (int i = 0; i < 5; i++) numbers.push_back(i);
  assert(numbers[4] == 4);
  return 0;
}
