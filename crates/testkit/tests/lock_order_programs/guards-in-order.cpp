// Guards of std::mutex, in one order.
#include <mutex>
#include <thread>

static std::mutex a, b;
static int count;

static void first() {
    std::lock_guard<std::mutex> outer(a);
    std::lock_guard<std::mutex> inner(b);
    count++;
}

static void second() {
    std::lock_guard<std::mutex> outer(a);
    std::unique_lock<std::mutex> inner(b);
    count++;
}

int main() {
    std::thread one(first), two(second);
    one.join();
    two.join();
}
