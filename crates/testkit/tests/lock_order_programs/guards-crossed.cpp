// Guards of std::mutex, in opposite orders.
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
    std::lock_guard<std::mutex> outer(b);
    std::unique_lock<std::mutex> inner(a);
    count++;
}

int main() {
    std::thread one(first), two(second);
    one.join();
    two.join();
}
