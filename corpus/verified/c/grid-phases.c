// A grid computed in phases by rows; a barrier made of a mutex and a condition variable separates
// them, and whoever comes last swaps the buffers.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=6
//~ source: executions=6
//~ optimal: executions=6
//~ observers: executions=6
//~ cs: executions=6
//~ optimal-cs: executions=6
//~ optimal-cs-observers: executions=6
//~ constrained: executions=6
//~ quasi:optimal: executions=6
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 4
#define COLUMNS 3
#define THREADS 2
#define PHASES 2

typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t all_here;
    unsigned expected, waiting, generation;
    void (*at_end)(void *);
    void *argument;
} barrier_t;

struct grid { int cells[2][ROWS][COLUMNS]; int current; unsigned swaps; };

struct share { struct grid *grid; barrier_t *barrier; int from, to; long checksum; };

static void barrier_init(barrier_t *barrier, unsigned expected, void (*at_end)(void *), void *argument)
{
    *barrier = (barrier_t){ .expected = expected, .at_end = at_end, .argument = argument };
    pthread_mutex_init(&barrier->mutex, NULL);
    pthread_cond_init(&barrier->all_here, NULL);
}

static bool barrier_wait(barrier_t *barrier)
{
    bool last = false;
    pthread_mutex_lock(&barrier->mutex);
    unsigned generation = barrier->generation;
    if (++barrier->waiting == barrier->expected) {
        if (barrier->at_end)
            barrier->at_end(barrier->argument);
        barrier->waiting = 0;
        barrier->generation++;
        pthread_cond_broadcast(&barrier->all_here);
        last = true;
    } else {
#ifdef BUG
        while (barrier->waiting != 0)
#else
        while (generation == barrier->generation)
#endif
            pthread_cond_wait(&barrier->all_here, &barrier->mutex);
    }
    (void)generation;
    pthread_mutex_unlock(&barrier->mutex);
    return last;
}

static void swap_buffers(void *argument)
{
    struct grid *grid = argument;
    grid->current = !grid->current;
    grid->swaps++;
}

static int neighbour(const struct grid *grid, int row, int column)
{
    row = (row + ROWS) % ROWS;
    column = (column + COLUMNS) % COLUMNS;
    return grid->cells[grid->current][row][column];
}

static void compute(struct share *share)
{
    struct grid *grid = share->grid;
    for (int row = share->from; row < share->to; row++)
        for (int column = 0; column < COLUMNS; column++) {
            int sum = neighbour(grid, row - 1, column) + neighbour(grid, row + 1, column)
                + neighbour(grid, row, column);
            grid->cells[!grid->current][row][column] = sum % 7;
        }
}

static void *run(void *argument)
{
    struct share *share = argument;
    for (int phase = 0; phase < PHASES; phase++) {
        compute(share);
        barrier_wait(share->barrier);
    }
    for (int row = share->from; row < share->to; row++)
        for (int column = 0; column < COLUMNS; column++)
            share->checksum = share->checksum * 31 + share->grid->cells[share->grid->current][row][column];
    return NULL;
}

static void fill(struct grid *grid)
{
    memset(grid, 0, sizeof *grid);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            grid->cells[0][row][column] = (row * 5 + column * 3) % 7;
}

static void run_alone(struct grid *grid)
{
    struct share all = { .grid = grid, .from = 0, .to = ROWS };
    for (int phase = 0; phase < PHASES; phase++) {
        compute(&all);
        swap_buffers(grid);
    }
}

int main(void)
{
    struct grid *grid = malloc(sizeof *grid), *expected = malloc(sizeof *expected);
    barrier_t barrier;
    struct share shares[THREADS];
    pthread_t threads[THREADS];
    fill(grid);
    fill(expected);
    run_alone(expected);
    barrier_init(&barrier, THREADS, swap_buffers, grid);
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (struct share){ grid, &barrier, i * ROWS / THREADS, (i + 1) * ROWS / THREADS, 0 };
        if (i > 0)
            pthread_create(&threads[i], NULL, run, &shares[i]);
    }
    run(&shares[0]);
    for (int i = 1; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(grid->swaps == PHASES);
    assert(memcmp(grid->cells[grid->current], expected->cells[expected->current], sizeof grid->cells[0]) == 0);
    free(grid);
    free(expected);
    return 0;
}
