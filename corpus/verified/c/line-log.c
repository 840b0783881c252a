// Lines are kept by each thread for itself, under a key whose destructor writes them to a ring;
// made once, formatted by variadic functions.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks
//~ skip: none
//~ dpor: executions=20
//~ source: executions=20
//~ optimal: executions=20
//~ observers: executions=20
//~ cs: executions=20
//~ optimal-cs: executions=20
//~ optimal-cs-observers: executions=20
//~ constrained: executions=20
//~ quasi:optimal: executions=20
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 24
#define LINES 4

enum level { DEBUG, INFO, ERROR };

struct buffer { char text[LINE]; size_t used; unsigned lines; enum level level : 2; };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char ring[LINES][LINE];
static unsigned written;
static int keys_made, buffers_flushed;

static void flush(struct buffer *buffer)
{
    if (buffer->used == 0)
        return;
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    memcpy(ring[written % LINES], buffer->text, buffer->used + 1);
    written++;
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    buffer->used = 0;
    buffer->lines++;
}

static void destroy(void *argument)
{
    struct buffer *buffer = argument;
    flush(buffer);
    pthread_mutex_lock(&lock);
    buffers_flushed++;
    pthread_mutex_unlock(&lock);
    free(buffer);
}

static void set_up(void)
{
    keys_made++;
    int error = pthread_key_create(&key, destroy);
    assert(error == 0);
}

static struct buffer *own_buffer(void)
{
    pthread_once(&once, set_up);
    struct buffer *buffer = pthread_getspecific(key);
    if (!buffer) {
        buffer = calloc(1, sizeof *buffer);
        pthread_setspecific(key, buffer);
    }
    return buffer;
}

static const char *level_name(enum level level)
{
    static const char *const names[] = { [DEBUG] = "D", [INFO] = "I", [ERROR] = "E" };
    return names[level];
}

__attribute__((format(printf, 2, 3)))
static int log_line(enum level level, const char *pattern, ...)
{
    struct buffer *buffer = own_buffer();
    flush(buffer);
    va_list list;
    va_start(list, pattern);
    int length = snprintf(buffer->text, sizeof buffer->text, "%s ", level_name(level));
    length += vsnprintf(buffer->text + length, sizeof buffer->text - (size_t)length, pattern, list);
    va_end(list);
    buffer->level = level;
    buffer->used = (size_t)length < sizeof buffer->text ? (size_t)length : sizeof buffer->text - 1;
    return length;
}

static void *worker(void *argument)
{
    int number = (int)(intptr_t)argument;
    int length = log_line(INFO, "worker %d", number);
    assert(length == 10);
    if (number == 1)
        log_line(ERROR, "%5.2f%% of %s", 12.345, "it");
    return NULL;
}

static bool logged(const char *text)
{
    for (unsigned i = 0; i < LINES; i++)
        if (strcmp(ring[i], text) == 0)
            return true;
    return false;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(keys_made == 1);
    assert(buffers_flushed == 2);
    assert(written == 3);
    assert(logged("I worker 0") && logged("I worker 1") && logged("E 12.35% of it"));
    pthread_key_delete(key);
    return 0;
}
