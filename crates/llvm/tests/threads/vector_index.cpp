// violation Assertion
// The standard library's own checks are part of the program.
#include <vector>
int main() {
  std::vector<int> numbers(3);
  return numbers[3];
}
