// verified 1
// Lists: sorted, reversed, exchanged.
#include <cassert>
#include <list>
int main() {
  std::list<int> a{3, 1, 2}, b, c{7};
  a.sort();
  assert(a.front() == 1 && a.back() == 3 && a.size() == 3);
  a.reverse();
  assert(a.front() == 3);
  a.swap(b);
  assert(a.empty() && b.size() == 3);
  b.swap(c);
  assert(b.front() == 7 && c.back() == 1);
  c.splice(c.begin(), b);
  assert(c.front() == 7 && b.empty());
}
