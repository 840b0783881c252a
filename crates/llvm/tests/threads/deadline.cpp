// verified 4
// C++: a wait with a time limit and a condition. The other thread comes first (1), or the wait begins first, and then ends by the
// signal, or by its time before the other has the mutex, or while the other has it or has had it and only signals.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable c;
bool ready;
int main() {
  std::thread t([] {
    std::lock_guard<std::mutex> lock(m);
    ready = true;
    c.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(m);
    bool result = c.wait_for(lock, std::chrono::milliseconds(5), [] { return ready; });
    assert(result == ready);
  }
  t.join();
  return 0;
}
