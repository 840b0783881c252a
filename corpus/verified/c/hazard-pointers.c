// A job list without locks: a stack of Treiber's whose nodes are freed with hazard pointers. Each
// thread registers a record, announces the node it is about to look into, and keeps the nodes
// it has taken off until no record names them. What a thread could not free when it leaves is
// handed to a list of orphans that the next one, or main, goes through.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks -- 1 1
//~ skip: none
//~ dpor: executions=2690
//~ source: executions=2690
//~ optimal: executions=2690
//~ observers: executions=2690
//~ cs: executions=2690
//~ optimal-cs: executions=2690
//~ optimal-cs-observers: executions=2690
//~ constrained: executions=2690
//~ quasi:optimal: executions=2690
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef BATCH
#define BATCH 1
#endif

struct job {
    struct job *next;
    struct job *retired;
    int number;
    char name[12];
};

struct record {
    _Atomic(struct job *) hazard;
    atomic_bool active;
    struct record *next;
};

static _Atomic(struct job *) top;
static _Atomic(struct record *) records;
static _Atomic(struct job *) orphans;
static atomic_int freed;

/* Each thread's own */
static _Thread_local struct record *my_record;
static _Thread_local struct job *my_retired;
static _Thread_local int my_retired_count;

/* Records */

static struct record *record_acquire(void) {
    for (struct record *r = atomic_load(&records); r; r = r->next) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&r->active, &expected, true)) return r;
    }
    struct record *r = calloc(1, sizeof *r);
    atomic_init(&r->active, true);
    struct record *old = atomic_load(&records);
    do r->next = old;
    while (!atomic_compare_exchange_weak(&records, &old, r));
    return r;
}

static void record_release(struct record *r) {
    atomic_store(&r->hazard, NULL);
    atomic_store(&r->active, false);
}

static bool is_protected(const struct job *job) {
    for (struct record *r = atomic_load(&records); r; r = r->next)
        if (atomic_load(&r->hazard) == job) return true;
    return false;
}

/* Reclamation */

static void reclaim(void) {
    struct job *list = my_retired, *kept = NULL;
    int count = 0;
    while (list) {
        struct job *job = list;
        list = job->retired;
        if (is_protected(job)) {
            job->retired = kept;
            kept = job;
            count++;
        } else {
            memset(job->name, '#', sizeof job->name);
            free(job);
            atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
        }
    }
    my_retired = kept;
    my_retired_count = count;
}

static void retire(struct job *job) {
    job->retired = my_retired;
    my_retired = job;
    if (++my_retired_count >= BATCH) reclaim();
}

static void leave(void) {
    record_release(my_record);
    my_record = NULL;
    if (my_retired) reclaim();
    while (my_retired) {
        struct job *job = my_retired;
        my_retired = job->retired;
        struct job *old = atomic_load(&orphans);
        do job->retired = old;
        while (!atomic_compare_exchange_weak(&orphans, &old, job));
    }
    my_retired_count = 0;
}

/* The stack */

static void push(struct job *job) {
    struct job *old = atomic_load(&top);
    do job->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, job));
}

static struct job *pop(void) {
    for (;;) {
        struct job *job = atomic_load(&top);
        if (!job) return NULL;
        atomic_store(&my_record->hazard, job);
#ifndef BUG
        // Only what is still on the stack after it was announced is safe.
        if (atomic_load(&top) != job) continue;
#endif
        struct job *next = job->next;
        struct job *expected = job;
        if (atomic_compare_exchange_strong(&top, &expected, next)) return job;
    }
}

/* An application: jobs have numbers, a job of an even number makes another one */

struct totals {
    int jobs, sum;
    char last[12];
};

static struct job *job_new(int number) {
    struct job *job = malloc(sizeof *job);
    job->next = job->retired = NULL;
    job->number = number;
    snprintf(job->name, sizeof job->name, "job-%d", number);
    return job;
}

static struct totals work_off(void) {
    struct totals t = { 0, 0, "none" };
    struct job *job;
    while ((job = pop())) {
        char name[12];
        snprintf(name, sizeof name, "job-%d", job->number);
        assert(strcmp(name, job->name) == 0);
        t.jobs++;
        t.sum += job->number;
        memcpy(t.last, name, sizeof name);
        if (job->number > 0 && job->number % 2 == 0) push(job_new(job->number / 2));
        atomic_store(&my_record->hazard, NULL);
        retire(job);
    }
    return t;
}

static void *worker(void *argument) {
    struct totals *out = argument;
    my_record = record_acquire();
    *out = work_off();
    leave();
    return NULL;
}

static int expected_jobs(int number) {
    return number > 0 && number % 2 == 0 ? 1 + expected_jobs(number / 2) : 1;
}

static void free_everything(void) {
    struct job *job = atomic_exchange(&orphans, NULL);
    while (job) {
        struct job *next = job->retired;
        free(job);
        atomic_fetch_add(&freed, 1);
        job = next;
    }
    struct record *r = atomic_exchange(&records, NULL);
    while (r) {
        struct record *next = r->next;
        assert(!atomic_load(&r->active) && !atomic_load(&r->hazard));
        free(r);
        r = next;
    }
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    struct totals totals[THREADS];
    int expected = 0, jobs = 0;
    for (int i = 1; i < argc; i++) {
        int number = atoi(argv[i]);
        push(job_new(number));
        expected += expected_jobs(number);
    }
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, &totals[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        printf("thread %d: %d jobs, last %s\n", i, totals[i].jobs, totals[i].last);
        jobs += totals[i].jobs;
    }
    free_everything();
    assert(jobs == expected);
    assert(atomic_load(&freed) == expected);
    assert(!atomic_load(&top));
    return 0;
}
