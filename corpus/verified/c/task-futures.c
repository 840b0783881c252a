// A pool of workers with a bounded ring of tasks, futures that are counted, and a stop that
// lets what was submitted be done.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: -D WORKERS=1
//~ skip: none
//~ dpor: executions=312
//~ source: executions=312
//~ optimal: executions=312
//~ observers: executions=312
//~ cs: executions=312
//~ optimal-cs: executions=312
//~ optimal-cs-observers: executions=312
//~ constrained: executions=312
//~ quasi:optimal: executions=312
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 2
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif

typedef long (*task_fn)(void *argument, int priority);

struct future {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool ready;
    long value;
    int error;
    unsigned references;
};

struct task {
    task_fn run;
    void *argument;
    struct future *future;
    unsigned priority : 3;
    unsigned detached : 1;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    struct task ring[CAPACITY];
    unsigned head, count;
    bool stopping;
    pthread_t threads[WORKERS];
    struct { unsigned submitted, executed, rejected; } stats;
};

static struct future *future_new(unsigned references)
{
    struct future *future = calloc(1, sizeof *future);
    if (!future)
        return NULL;
    pthread_mutex_init(&future->lock, NULL);
    pthread_cond_init(&future->done, NULL);
    future->references = references;
    return future;
}

static void future_release(struct future *future)
{
    pthread_mutex_lock(&future->lock);
    unsigned left = --future->references;
    pthread_mutex_unlock(&future->lock);
#ifdef BUG
    if (future->references == 0) {
        (void)left;
#else
    if (left == 0) {
#endif
        pthread_cond_destroy(&future->done);
        pthread_mutex_destroy(&future->lock);
        free(future);
    }
}

static void future_fulfil(struct future *future, long value, int error)
{
    pthread_mutex_lock(&future->lock);
    assert(!future->ready);
    future->value = value;
    future->error = error;
    future->ready = true;
    pthread_cond_broadcast(&future->done);
    pthread_mutex_unlock(&future->lock);
}

static int future_get(struct future *future, long *value)
{
    pthread_mutex_lock(&future->lock);
    while (!future->ready)
        pthread_cond_wait(&future->done, &future->lock);
    *value = future->value;
    int error = future->error;
    pthread_mutex_unlock(&future->lock);
    return error;
}

static bool pool_take(struct pool *pool, struct task *task)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->count == 0 && !pool->stopping)
        pthread_cond_wait(&pool->not_empty, &pool->lock);
    if (pool->count == 0) {
        pthread_mutex_unlock(&pool->lock);
        return false;
    }
    *task = pool->ring[pool->head];
    memset(&pool->ring[pool->head], 0, sizeof(struct task));
    pool->head = (pool->head + 1) % CAPACITY;
    pool->count--;
    pool->stats.executed++;
    pthread_cond_signal(&pool->not_full);
    pthread_mutex_unlock(&pool->lock);
    return true;
}

static void *worker(void *argument)
{
    struct pool *pool = argument;
    struct task task;
    while (pool_take(pool, &task)) {
        long value = task.run(task.argument, task.priority);
        if (task.future) {
            future_fulfil(task.future, value < 0 ? 0 : value, value < 0 ? EINVAL : 0);
            future_release(task.future);
        }
    }
    return NULL;
}

static int pool_submit(struct pool *pool, struct task task, bool wait)
{
    pthread_mutex_lock(&pool->lock);
    while (wait && pool->count == CAPACITY && !pool->stopping)
        pthread_cond_wait(&pool->not_full, &pool->lock);
    if (pool->stopping || pool->count == CAPACITY) {
        pool->stats.rejected++;
        int error = pool->stopping ? ECANCELED : EAGAIN;
        pthread_mutex_unlock(&pool->lock);
        return error;
    }
    unsigned at = (pool->head + pool->count) % CAPACITY;
    pool->ring[at] = task;
    pool->count++;
    pool->stats.submitted++;
    pthread_cond_signal(&pool->not_empty);
    pthread_mutex_unlock(&pool->lock);
    return 0;
}

static int pool_start(struct pool *pool)
{
    memset(pool, 0, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->not_empty, NULL);
    pthread_cond_init(&pool->not_full, NULL);
    for (int i = 0; i < WORKERS; i++) {
        int error = pthread_create(&pool->threads[i], NULL, worker, pool);
        if (error)
            return error;
    }
    return 0;
}

static void pool_stop(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->not_empty);
    pthread_cond_broadcast(&pool->not_full);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool->threads[i], NULL);
    assert(pool->count == 0);
    assert(pool->stats.executed == pool->stats.submitted);
    pthread_cond_destroy(&pool->not_empty);
    pthread_cond_destroy(&pool->not_full);
    pthread_mutex_destroy(&pool->lock);
}

static long square(void *argument, int priority)
{
    long n = *(const int *)argument;
    return n * n + priority;
}

static long fails(void *argument, int priority)
{
    (void)argument;
    return -priority;
}

int main(void)
{
    static int numbers[TASKS + 1];
    struct pool pool;
    struct future *futures[TASKS];
    if (pool_start(&pool) != 0)
        return 1;
    for (int i = 0; i < TASKS; i++) {
        numbers[i] = i + 2;
        futures[i] = future_new(2);
        struct task task = { .run = i % 2 ? fails : square, .argument = &numbers[i], .future = futures[i], .priority = (unsigned)i };
        int error = pool_submit(&pool, task, true);
        assert(error == 0);
    }
    for (int i = 0; i < TASKS; i++) {
        long value = -1;
        int error = future_get(futures[i], &value);
        if (i % 2) {
            assert(error == EINVAL && value == 0);
        } else {
            assert(error == 0 && value == (long)(i + 2) * (i + 2) + i);
        }
        future_release(futures[i]);
    }
    pool_stop(&pool);
    printf("%u executed, %u rejected\n", pool.stats.executed, pool.stats.rejected);
    return 0;
}
