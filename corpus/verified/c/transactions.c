// Rows locked in two phases, where a second lock is tried, and everything is undone if it is
// held; a journal of what was committed.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=7
//~ source: executions=7
//~ optimal: executions=7
//~ observers: executions=7
//~ cs: executions=7
//~ optimal-cs: executions=7
//~ optimal-cs-observers: executions=7
//~ constrained: executions=7
//~ quasi:optimal: executions=7
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 3
#define JOURNAL 16
#define HELD 3

struct row { int key; long balance; pthread_mutex_t lock; };
struct record { int key; long before, after; unsigned transaction; };

static struct row rows[ROWS];
static struct { pthread_mutex_t lock; struct record records[JOURNAL]; unsigned used; } journal = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct transaction {
    unsigned id;
    struct row *held[HELD];
    long before[HELD];
    unsigned count;
    enum { ACTIVE, COMMITTED, ABORTED } state;
};

static int by_key(const void *one, const void *other)
{
    int a = ((const struct row *)one)->key, b = ((const struct row *)other)->key;
    return (a > b) - (a < b);
}

static void load(void)
{
    static const int keys[ROWS] = { 30, 10, 20 };
    for (int i = 0; i < ROWS; i++) {
        rows[i].key = keys[i];
        rows[i].balance = 100;
    }
    qsort(rows, ROWS, sizeof *rows, by_key);
    for (int i = 0; i < ROWS; i++) {
        pthread_mutex_init(&rows[i].lock, NULL);
        assert(rows[i].key == 10 * (i + 1));
    }
}

static struct row *find(int key)
{
    for (int low = 0, high = ROWS - 1; low <= high;) {
        int middle = (low + high) / 2;
        if (rows[middle].key == key)
            return &rows[middle];
        if (rows[middle].key < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return NULL;
}

static void unlock_all(struct transaction *transaction)
{
    while (transaction->count > 0)
        pthread_mutex_unlock(&transaction->held[--transaction->count]->lock);
}

static struct row *open_row(struct transaction *transaction, int key)
{
    struct row *row = find(key);
    assert(row);
    for (unsigned i = 0; i < transaction->count; i++)
        if (transaction->held[i] == row)
            return row;
    if (transaction->count == 0)
        pthread_mutex_lock(&row->lock);
    else if (pthread_mutex_trylock(&row->lock) == EBUSY)
        return NULL;
    transaction->before[transaction->count] = row->balance;
    transaction->held[transaction->count++] = row;
    return row;
}

static void commit(struct transaction *transaction)
{
    pthread_mutex_lock(&journal.lock);
    for (unsigned i = 0; i < transaction->count; i++) {
        assert(journal.used < JOURNAL);
        journal.records[journal.used++] = (struct record){
            transaction->held[i]->key, transaction->before[i], transaction->held[i]->balance, transaction->id };
    }
    pthread_mutex_unlock(&journal.lock);
    transaction->state = COMMITTED;
    unlock_all(transaction);
}

static void rollback(struct transaction *transaction)
{
#ifndef BUG
    for (unsigned i = 0; i < transaction->count; i++)
        transaction->held[i]->balance = transaction->before[i];
#endif
    transaction->state = ABORTED;
    unlock_all(transaction);
}

static bool transfer(struct transaction *transaction, int from, int to, long amount)
{
    struct row *source = open_row(transaction, from);
    if (!source)
        return false;
    source->balance -= amount;
    struct row *target = open_row(transaction, to);
    if (!target) {
        rollback(transaction);
        return false;
    }
    target->balance += amount;
    commit(transaction);
    return true;
}

struct job { unsigned id; int from, to; long amount; bool done; };

static void *client(void *argument)
{
    struct job *job = argument;
    struct transaction transaction = { .id = job->id };
    job->done = transfer(&transaction, job->from, job->to, job->amount);
    assert(transaction.state == (job->done ? COMMITTED : ABORTED));
    return NULL;
}

int main(void)
{
    struct job jobs[2] = { { 1, 10, 20, 30, false }, { 2, 20, 10, 5, false } };
    pthread_t threads[2];
    load();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, client, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    long sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum += rows[i].balance;
    assert(sum == 100 * ROWS);
    long expected = 100 - (jobs[0].done ? 30 : 0) + (jobs[1].done ? 5 : 0);
    assert(find(10)->balance == expected);
    assert(journal.used == 2u * (unsigned)(jobs[0].done + jobs[1].done));
    for (unsigned i = 0; i + 1 < journal.used; i += 2)
        assert(journal.records[i].transaction == journal.records[i + 1].transaction);
    return 0;
}
