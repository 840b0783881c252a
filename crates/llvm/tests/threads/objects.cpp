// verified 2
// C++: static variables of functions, variables of threads, constructors and destructors, under a mutex.
#include <atomic>
#include <cassert>
#include <pthread.h>
std::atomic<int> made, destroyed;
struct Counter {
  int n;
  Counter() : n(0) {}
  ~Counter() {}
};
static Counter &shared() {
  static Counter counter;
  return counter;
}
thread_local Counter own;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct Lock {
  Lock() { pthread_mutex_lock(&m); }
  ~Lock() { pthread_mutex_unlock(&m); }
};
static void *run(void *) {
  Lock lock;
  shared().n++;
  own.n++;
  assert(own.n == 1);
  return nullptr;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, run, nullptr);
  pthread_create(&b, nullptr, run, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(shared().n == 2);
  int *numbers = new int[3]();
  assert(numbers[2] == 0);
  delete[] numbers;
  return 0;
}
