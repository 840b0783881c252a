// A scheduler of jobs with priorities and a limit of the rate: a semaphore counts free places, a
// bucket of tokens says how many jobs may begin until somebody refills it, and each job runs in
// a thread of its own, which the dispatcher creates and a reaper joins. Jobs can fail and are
// tried once more; a barrier lets all parts begin together.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -D PLACES=2 -- a b@2
//~ skip: none
//~ dpor: executions=1956 blocked=104
//~ source: executions=1956 blocked=104
//~ optimal: executions=1956
//~ observers: executions=1956
//~ cs: executions=1956 blocked=104
//~ optimal-cs: executions=1956
//~ optimal-cs-observers: executions=1956
//~ constrained: executions=1956 blocked=104
//~ quasi:optimal: executions=1956
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PLACES
#define PLACES 1
#endif
#ifndef TOKENS
#define TOKENS 1
#endif
#define HEAP 8

struct job {
    int priority;
    unsigned order, attempts;
    char name[10];
    int (*run)(struct job *job);
    int status;
    pthread_t thread;
    struct job *next;
};

struct bucket {
    pthread_mutex_t lock;
    pthread_cond_t refilled;
    int tokens, waiting;
    unsigned refills;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct job *heap[HEAP];
    int queued, running;
    struct job *ended;
    bool closed;
} scheduler = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static struct bucket bucket = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .refilled = PTHREAD_COND_INITIALIZER, .tokens = TOKENS };
static sem_t places;
static pthread_barrier_t begin;
static atomic_int inside;

/* The bucket */

static void bucket_take(struct bucket *b) {
    pthread_mutex_lock(&b->lock);
    b->waiting++;
    while (b->tokens == 0) pthread_cond_wait(&b->refilled, &b->lock);
    b->waiting--;
    b->tokens--;
    pthread_mutex_unlock(&b->lock);
}

static void bucket_fill(struct bucket *b) {
    pthread_mutex_lock(&b->lock);
    b->tokens = TOKENS;
    b->refills++;
    if (b->waiting > 0) pthread_cond_broadcast(&b->refilled);
    pthread_mutex_unlock(&b->lock);
}

/* A heap by priority, then by age; the lock is held */

static bool before(const struct job *a, const struct job *b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    return a->order < b->order;
}

static void heap_push(struct job *job) {
    assert(scheduler.queued < HEAP);
    int i = scheduler.queued++;
    while (i > 0 && before(job, scheduler.heap[(i - 1) / 2])) {
        scheduler.heap[i] = scheduler.heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    scheduler.heap[i] = job;
}

static struct job *heap_pop(void) {
    struct job *best = scheduler.heap[0];
    struct job *last = scheduler.heap[--scheduler.queued];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= scheduler.queued) break;
        if (child + 1 < scheduler.queued
            && before(scheduler.heap[child + 1], scheduler.heap[child])) child++;
        if (!before(scheduler.heap[child], last)) break;
        scheduler.heap[i] = scheduler.heap[child];
        i = child;
    }
    if (scheduler.queued > 0) scheduler.heap[i] = last;
    return best;
}

/* Threads */

static void *job_thread(void *argument) {
    struct job *job = argument;
    int now = atomic_fetch_add(&inside, 1) + 1;
    assert(now <= PLACES);
    job->attempts++;
    job->status = job->run(job);
    atomic_fetch_sub(&inside, 1);
    pthread_mutex_lock(&scheduler.lock);
    job->next = scheduler.ended;
    scheduler.ended = job;
#ifdef BUG
    // The dispatcher waits for the same, and may be woken instead of the reaper.
    pthread_cond_signal(&scheduler.changed);
#else
    pthread_cond_broadcast(&scheduler.changed);
#endif
    pthread_mutex_unlock(&scheduler.lock);
    sem_post(&places);
    return job;
}

static void *dispatcher(void *unused) {
    (void)unused;
    pthread_barrier_wait(&begin);
    for (;;) {
        while (sem_wait(&places) == -1 && errno == EINTR) continue;
        pthread_mutex_lock(&scheduler.lock);
        while (scheduler.queued == 0 && !(scheduler.closed && scheduler.running == 0))
            pthread_cond_wait(&scheduler.changed, &scheduler.lock);
        if (scheduler.queued == 0) {
            pthread_mutex_unlock(&scheduler.lock);
            sem_post(&places);
            return NULL;
        }
        struct job *job = heap_pop();
        scheduler.running++;
        pthread_mutex_unlock(&scheduler.lock);
        bucket_take(&bucket);
        pthread_create(&job->thread, NULL, job_thread, job);
    }
}

static void retry(struct job *job) {
    job->priority--;
    job->next = NULL;
    heap_push(job);
}

/* Joins what has ended; jobs that failed once go back to the heap. */
static void *reaper(void *argument) {
    int expected = *(int *)argument, reaped = 0;
    long failures = 0;
    pthread_barrier_wait(&begin);
    while (reaped < expected) {
        pthread_mutex_lock(&scheduler.lock);
        while (!scheduler.ended) pthread_cond_wait(&scheduler.changed, &scheduler.lock);
        struct job *job = scheduler.ended;
        scheduler.ended = job->next;
        pthread_mutex_unlock(&scheduler.lock);
        void *result;
        pthread_join(job->thread, &result);
        assert(result == job);
        bool again = job->status != 0 && job->attempts < 2;
        pthread_mutex_lock(&scheduler.lock);
        scheduler.running--;
        if (again) retry(job);
        else if (++reaped == expected) scheduler.closed = true;
        pthread_cond_broadcast(&scheduler.changed);
        pthread_mutex_unlock(&scheduler.lock);
        bucket_fill(&bucket);
        if (!again && job->status != 0) failures++;
        if (!again) free(job);
    }
    return (void *)failures;
}

/* Jobs */

static int job_fine(struct job *job) { return strlen(job->name) < sizeof job->name ? 0 : E2BIG; }

static int job_flaky(struct job *job) { return job->attempts < 2 ? EAGAIN : 0; }

static int job_broken(struct job *job) {
    (void)job;
    return EIO;
}

static struct job *job_parse(const char *text, unsigned order) {
    struct job *job = calloc(1, sizeof *job);
    job->order = order;
    switch (text[0]) {
    case '~': job->run = job_flaky; break;
    case '!': job->run = job_broken; break;
    default: job->run = job_fine; break;
    }
    const char *at = strchr(text, '@');
    size_t length = at ? (size_t)(at - text) : strlen(text);
    if (length >= sizeof job->name) length = sizeof job->name - 1;
    memcpy(job->name, text, length);
    job->priority = at ? atoi(at + 1) : 0;
    return job;
}

int main(int argc, char **argv) {
    int jobs = argc - 1;
    long broken = 0;
    if (jobs < 1 || jobs > HEAP) return 2;
    sem_init(&places, 0, PLACES);
    pthread_barrier_init(&begin, NULL, 2);
    for (int i = 0; i < jobs; i++) {
        struct job *job = job_parse(argv[i + 1], (unsigned)i);
        broken += job->run == job_broken;
        heap_push(job);
    }
    pthread_t dispatch, reap;
    pthread_create(&dispatch, NULL, dispatcher, NULL);
    pthread_create(&reap, NULL, reaper, &jobs);
    void *failures;
    pthread_join(reap, &failures);
    pthread_join(dispatch, NULL);
    int free_places;
    sem_getvalue(&places, &free_places);
    printf("%d jobs, %ld failed, %u refills\n", jobs, (long)failures, bucket.refills);
    assert((long)failures == broken);
    assert(free_places == PLACES);
    sem_destroy(&places);
    pthread_barrier_destroy(&begin);
    return 0;
}
