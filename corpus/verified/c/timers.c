// A thread with a list of deadlines: it waits up to the first one, others add timers and cancel
// them meanwhile.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=73
//~ source: executions=73
//~ optimal: executions=73
//~ observers: executions=73
//~ cs: executions=73
//~ optimal-cs: executions=73
//~ optimal-cs-observers: executions=73
//~ constrained: executions=73
//~ quasi:optimal: executions=73
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef void (*callback)(void *);

struct timer {
    struct timer *next;
    long deadline;
    callback call;
    void *argument;
    unsigned id;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct timer *first;
    unsigned next_id;
    bool stop;
} wheel = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 1, false };

static unsigned timer_add(long deadline, callback call, void *argument)
{
    struct timer *timer = malloc(sizeof *timer);
    pthread_mutex_lock(&wheel.lock);
    unsigned id = wheel.next_id++;
    *timer = (struct timer){ NULL, deadline, call, argument, id };
    struct timer **at = &wheel.first;
    while (*at && (*at)->deadline <= deadline)
        at = &(*at)->next;
    timer->next = *at;
    *at = timer;
    pthread_cond_signal(&wheel.wake);
    pthread_mutex_unlock(&wheel.lock);
    return id;
}

static bool timer_cancel(unsigned id)
{
    bool found = false;
    pthread_mutex_lock(&wheel.lock);
    for (struct timer **at = &wheel.first; *at; at = &(*at)->next) {
        if ((*at)->id == id) {
            struct timer *timer = *at;
            *at = timer->next;
            free(timer);
            found = true;
            break;
        }
    }
    pthread_mutex_unlock(&wheel.lock);
    return found;
}

static void *timer_thread(void *unused)
{
    pthread_mutex_lock(&wheel.lock);
    while (!wheel.stop || wheel.first) {
        if (!wheel.first) {
            pthread_cond_wait(&wheel.wake, &wheel.lock);
            continue;
        }
        struct timespec until = { .tv_sec = wheel.first->deadline, .tv_nsec = 0 };
        int error = pthread_cond_timedwait(&wheel.wake, &wheel.lock, &until);
        if (error == 0)
            continue;
        assert(error == ETIMEDOUT);
        struct timer *timer = wheel.first;
#ifndef BUG
        if (!timer)
            continue;
#endif
        wheel.first = timer->next;
        pthread_mutex_unlock(&wheel.lock);
        timer->call(timer->argument);
        free(timer);
        pthread_mutex_lock(&wheel.lock);
    }
    pthread_mutex_unlock(&wheel.lock);
    return unused;
}

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static int fired;

static void count(void *argument)
{
    pthread_mutex_lock(&count_lock);
    fired += *(int *)argument;
    pthread_mutex_unlock(&count_lock);
}

int main(void)
{
    static int one = 1, ten = 10;
    pthread_t thread;
    timer_add(100, count, &one);
    pthread_create(&thread, NULL, timer_thread, NULL);
    unsigned id = timer_add(50, count, &ten);
    bool cancelled = timer_cancel(id);
    pthread_mutex_lock(&wheel.lock);
    wheel.stop = true;
    pthread_cond_signal(&wheel.wake);
    pthread_mutex_unlock(&wheel.lock);
    pthread_join(thread, NULL);
    assert(fired == (cancelled ? 1 : 11));
    assert(wheel.first == NULL);
    return 0;
}
