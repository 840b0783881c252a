// verified 1
// C++: containers whose code is not all in headers.
#include <cassert>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>
int main() {
  unsigned seed = 1;
  std::map<int, int> map;
  int reference[64] = {0};
  for (int i = 0; i < 200; i++) {
    seed = seed * 1103515245 + 12345;
    int key = seed >> 16 & 63;
    if (seed >> 24 & 1) {
      map[key] = i;
      reference[key] = i + 1;
    } else {
      map.erase(key);
      reference[key] = 0;
    }
    if (i % 20 != 0) continue;
    int last = -1;
    unsigned count = 0;
    for (auto &entry : map) {
      assert(entry.first > last && reference[entry.first] == entry.second + 1);
      last = entry.first;
      count++;
    }
    assert(count == map.size());
    for (auto at = map.rbegin(); at != map.rend(); ++at) count--;
    assert(count == 0);
  }
  std::set<int> set{3, 1, 2};
  assert(*set.begin() == 1 && *set.rbegin() == 3 && *--set.end() == 3);
  std::list<int> list{1, 2, 3};
  list.push_front(0);
  list.remove(2);
  list.splice(list.begin(), list, --list.end());
  int digits = 0;
  for (int x : list) digits = digits * 10 + x;
  assert(digits == 301);
  std::unordered_map<int, int> table;
  for (int i = 0; i < 50; i++) table[i * 7] = i;
  for (int i = 0; i < 50; i++) assert(table[i * 7] == i);
  std::queue<int> queue;
  queue.push(1);
  queue.pop();
  assert(queue.empty() && table.size() == 50);
  return 0;
}
