// verified
// Strings, maps, functions and shared pointers of the standard library, in two threads.
#include <cassert>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
static std::mutex m;
static std::map<std::string, int> counts;
int main() {
  std::vector<std::thread> threads;
  auto shared = std::make_shared<int>(3);
  std::function<int(int)> more = [shared](int x) { return x + *shared; };
  for (int i = 0; i < 2; i++)
    threads.emplace_back([i, more] {
      std::string name = i ? "one" : "other, whose name is too long for a short string";
      std::lock_guard<std::mutex> guard(m);
      counts[name + "!"] += more(i);
    });
  for (auto &thread : threads) thread.join();
  assert(counts.size() == 2 && counts["one!"] == 4 && counts.begin()->first == "one!");
  return 0;
}
