// C++ without its library: classes, virtual functions, templates, references, new and delete, a static that is made at its first use.
//~ flags: --leaks
//~ skip: none
//~ dpor: executions=12
//~ source: executions=12
//~ optimal: executions=12
//~ observers: executions=12
//~ cs: executions=12
//~ optimal-cs: executions=12
//~ optimal-cs-observers: executions=12
//~ constrained: executions=12
//~ quasi:optimal: executions=12
#include <assert.h>
#include <pthread.h>

namespace {

class Mutex {
public:
    Mutex() { pthread_mutex_init(&m, nullptr); }
    ~Mutex() { pthread_mutex_destroy(&m); }
    void lock() { pthread_mutex_lock(&m); }
    void unlock() { pthread_mutex_unlock(&m); }

private:
    pthread_mutex_t m;
};

template <typename T> class Guard {
public:
    explicit Guard(T &lock) : lock(lock) { lock.lock(); }
    ~Guard() { lock.unlock(); }

private:
    T &lock;
};

struct Shape {
    virtual ~Shape() {}
    virtual int area() const = 0;
};

struct Square : Shape {
    explicit Square(int side) : side(side) {}
    int area() const override { return side * side; }
    int side;
};

Mutex mutex;
int total, made;

const Square &unit()
{
    static const Square *const one = (made++, new Square(1));
    return *one;
}

void *worker(void *)
{
    Shape *shape = new Square(2 + unit().area());
    {
        Guard<Mutex> guard(mutex);
        total += shape->area();
    }
    delete shape;
    return nullptr;
}

} // namespace

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, worker, nullptr);
    worker(nullptr);
    pthread_join(thread, nullptr);
    assert(total == 18 && made == 1);
    delete &unit();
    return 0;
}
