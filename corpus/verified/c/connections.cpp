// Connections of a server, in C++ without its library: objects on the heap with virtual functions,
// smart pointers that count their users, guards that unlock on each way out, templates. Requests
// are handled by sessions which their acceptor starts; a cache of connections is shared by all.
// Count: 6 orders of what is added to the report, 24 of giving the report up; of the two queries
// either is first, the other one waits or not, and the first gives its connection up before,
// between or after the other's two changes of the count: 6 * 24 * 2 * 2 * 3 = 1728.
//~ flags: --leaks -- a b =c
//~ skip: none
//~ dpor: executions=1728 blocked=46
//~ source: executions=1728 blocked=46
//~ optimal: executions=1728
//~ observers: executions=1728
//~ cs: executions=1728 blocked=46
//~ optimal-cs: executions=1728
//~ optimal-cs-observers: executions=1728
//~ constrained: executions=1728 blocked=46
//~ quasi:optimal: executions=1728
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef LIMIT
#define LIMIT 1
#endif

class Mutex {
public:
    Mutex() { pthread_mutex_init(&handle, nullptr); }
    ~Mutex() { pthread_mutex_destroy(&handle); }
    Mutex(const Mutex &) = delete;
    Mutex &operator=(const Mutex &) = delete;
    pthread_mutex_t *get() { return &handle; }

private:
    pthread_mutex_t handle;
};

class Guard {
public:
    explicit Guard(Mutex &m) : mutex(m.get()) { pthread_mutex_lock(mutex); }
    ~Guard() { pthread_mutex_unlock(mutex); }
    void wait(pthread_cond_t &condition) { pthread_cond_wait(&condition, mutex); }

private:
    pthread_mutex_t *mutex;
};

// What is shared counts its users.
class Counted {
public:
    virtual ~Counted() {}
    void retain() { __atomic_fetch_add(&users, 1, __ATOMIC_RELAXED); }
    void release() {
#ifdef BUG
        // What another user wrote is not known to be over when the last one deletes it.
        if (__atomic_sub_fetch(&users, 1, __ATOMIC_RELAXED) == 0) delete this;
#else
        if (__atomic_sub_fetch(&users, 1, __ATOMIC_ACQ_REL) == 0) delete this;
#endif
    }

private:
    int users = 0;
};

template <typename T> class Ref {
public:
    Ref() : pointer(nullptr) {}
    explicit Ref(T *p) : pointer(p) { if (pointer) pointer->retain(); }
    Ref(const Ref &other) : Ref(other.pointer) {}
    Ref(Ref &&other) : pointer(other.pointer) { other.pointer = nullptr; }
    ~Ref() { if (pointer) pointer->release(); }
    Ref &operator=(Ref other) {
        T *mine = pointer;
        pointer = other.pointer;
        other.pointer = mine;
        return *this;
    }
    T *operator->() const { assert(pointer); return pointer; }
    explicit operator bool() const { return pointer != nullptr; }
    T *get() const { return pointer; }

private:
    T *pointer;
};

template <typename T, int N> class List {
public:
    bool add(const T &value) {
        if (count == N) return false;
        values[count++] = value;
        return true;
    }
    T removeLast() {
        assert(count > 0);
        T value = static_cast<T &&>(values[count - 1]);
        values[--count] = T();
        return value;
    }
    int size() const { return count; }

private:
    T values[N];
    int count = 0;
};

// Backends

class Connection : public Counted {
public:
    explicit Connection(int n) : number(n), queries(0) {
        __atomic_fetch_add(&alive, 1, __ATOMIC_SEQ_CST);
    }
    ~Connection() override { __atomic_fetch_sub(&alive, 1, __ATOMIC_SEQ_CST); }
    int query(const char *text, char *out, size_t size) {
        queries++;
        return snprintf(out, size, "c%d/%d:%zu", number, queries, strlen(text));
    }
    static int alive;

private:
    int number, queries;
};

int Connection::alive = 0;

class Pool {
public:
    Pool() { pthread_cond_init(&returned, nullptr); }
    ~Pool() { pthread_cond_destroy(&returned); }
    Ref<Connection> acquire() {
        Guard guard(mutex);
        while (idle.size() == 0 && made == LIMIT) guard.wait(returned);
        if (idle.size() > 0) return idle.removeLast();
        return Ref<Connection>(new Connection(made++));
    }
    void giveBack(Ref<Connection> connection) {
        Guard guard(mutex);
        bool kept = idle.add(connection);
        assert(kept);
        (void)kept;
        pthread_cond_signal(&returned);
    }
    int size() {
        Guard guard(mutex);
        return made;
    }

private:
    Mutex mutex;
    pthread_cond_t returned;
    List<Ref<Connection>, LIMIT> idle;
    int made = 0;
};

// Sessions share what they have done

class Report : public Counted {
public:
    ~Report() override {
        printf("%d answers, %s\n", answers, last);
        __atomic_store_n(&written, true, __ATOMIC_RELEASE);
    }
    void add(const char *answer) {
        Guard guard(mutex);
        answers++;
        snprintf(last, sizeof last, "%s", answer);
    }
    static bool written;

private:
    Mutex mutex;
    int answers = 0;
    char last[24] = "none";
};

bool Report::written = false;

class Handler {
public:
    virtual ~Handler() {}
    virtual bool handle(const char *request, char *answer, size_t size) = 0;
};

class EchoHandler : public Handler {
public:
    bool handle(const char *request, char *answer, size_t size) override {
        snprintf(answer, size, "%s", request);
        return true;
    }
};

class QueryHandler : public Handler {
public:
    explicit QueryHandler(Pool &p) : pool(p) {}
    bool handle(const char *request, char *answer, size_t size) override {
        if (request[0] == '\0') return false;
        Ref<Connection> connection = pool.acquire();
        int n = connection->query(request, answer, size);
        pool.giveBack(static_cast<Ref<Connection> &&>(connection));
        assert(!connection);
        return n > 0;
    }

private:
    Pool &pool;
};

class Session {
public:
    Session(Handler *h, const char *r, const Ref<Report> &report)
        : handler(h), request(r), report(report) {}
    ~Session() { delete handler; }
    void start() { pthread_create(&thread, nullptr, run, this); }
    bool join() {
        void *result;
        pthread_join(thread, &result);
        return result != nullptr;
    }

private:
    static void *run(void *argument) {
        Session *me = static_cast<Session *>(argument);
        Ref<Report> mine = static_cast<Ref<Report> &&>(me->report);
        char answer[24];
        bool fine = me->handler->handle(me->request, answer, sizeof answer);
        if (!fine) return nullptr;
        mine->add(answer);
        return me;
    }
    Handler *handler;
    const char *request;
    Ref<Report> report;
    pthread_t thread;
};

struct Acceptor {
    Pool *pool;
    char **requests;
    int count, answered;
};

static void *accept(void *argument) {
    Acceptor *a = static_cast<Acceptor *>(argument);
    Ref<Report> report(new Report);
    Session **sessions = new Session *[a->count];
    for (int i = 0; i < a->count; i++) {
        const char *r = a->requests[i];
        Handler *h;
        if (r[0] == '=') h = new EchoHandler;
        else h = new QueryHandler(*a->pool);
        sessions[i] = new Session(h, r, report);
    }
    for (int i = 0; i < a->count; i++) sessions[i]->start();
    report = Ref<Report>();
    for (int i = 0; i < a->count; i++) {
        if (sessions[i]->join()) a->answered++;
        delete sessions[i];
    }
    delete[] sessions;
    return nullptr;
}

int main(int argc, char **argv) {
    Acceptor acceptor = {};
    {
        Pool pool;
        acceptor.pool = &pool;
        acceptor.requests = argv + 1;
        acceptor.count = argc - 1;
        pthread_t thread;
        pthread_create(&thread, nullptr, accept, &acceptor);
        pthread_join(thread, nullptr);
        assert(pool.size() <= LIMIT);
        assert(__atomic_load_n(&Connection::alive, __ATOMIC_SEQ_CST) == pool.size());
    }
    assert(__atomic_load_n(&Connection::alive, __ATOMIC_SEQ_CST) == 0);
    assert(acceptor.answered == argc - 1);
    assert(__atomic_load_n(&Report::written, __ATOMIC_ACQUIRE));
    return 0;
}
