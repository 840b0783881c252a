// A channel of objects with virtual functions: `std::thread`, `std::mutex`, `std::unique_lock`,
// `std::condition_variable` with a predicate, `std::deque`, `std::unique_ptr`.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=24
//~ source: executions=24
//~ optimal: executions=24
//~ observers: executions=24
//~ cs: executions=24
//~ optimal-cs: executions=24
//~ optimal-cs-observers: executions=24
//~ constrained: executions=24
//~ quasi:optimal: executions=24
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

template <typename T>
class Channel {
public:
    explicit Channel(std::size_t capacity) : capacity_(capacity) {}

    bool send(T value)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || items_.size() < capacity_; });
        if (closed_)
            return false;
        items_.push_back(std::move(value));
        changed_.notify_all();
        return true;
    }

    bool receive(T &value)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
        if (items_.empty())
            return false;
        value = std::move(items_.front());
        items_.pop_front();
        changed_.notify_all();
        return true;
    }

    void close()
    {
#ifndef BUG
        std::lock_guard<std::mutex> lock(mutex_);
#endif
        closed_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> items_;
    std::size_t capacity_;
    bool closed_ = false;
};

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};

struct Square : Shape {
    explicit Square(int side) : side(side) {}
    int area() const override { return side * side; }
    int side;
};

struct Rectangle : Shape {
    Rectangle(int width, int height) : width(width), height(height) {}
    int area() const override { return width * height; }
    int width, height;
};

static std::atomic<int> total{0};

int main()
{
    Channel<std::unique_ptr<Shape>> channel(1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 1; i++) {
        threads.emplace_back([&channel] {
            std::unique_ptr<Shape> shape;
            while (channel.receive(shape))
                total += shape->area();
        });
    }
    bool sent = channel.send(std::make_unique<Square>(3));
    assert(sent);
    sent = channel.send(std::make_unique<Rectangle>(2, 5));
    assert(sent);
    channel.close();
    for (auto &thread : threads)
        thread.join();
    assert(total == 19);
    return 0;
}
