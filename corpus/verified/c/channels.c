// Three stages connected by channels of one place that can be closed; messages are tagged unions
// that own their text.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=13824 blocked=558
//~ source: executions=13824 blocked=558
//~ optimal: executions=13824
//~ observers: executions=13824
//~ cs: executions=13824 blocked=558
//~ optimal-cs: executions=13824
//~ optimal-cs-observers: executions=13824
//~ constrained: executions=13824 blocked=558
//~ quasi:optimal: executions=13824
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, NUMBER, END };

struct message {
    enum kind kind;
    union {
        char *text;
        long number;
    };
};

struct channel {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct message slots[1];
    size_t used;
    bool closed;
};

#define CHANNEL_INIT { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, { { END, { NULL } } }, 0, false }

static struct channel input = CHANNEL_INIT, middle = CHANNEL_INIT, output = CHANNEL_INIT;

static char *format(const char *pattern, ...)
{
    va_list list;
    va_start(list, pattern);
    int length = vsnprintf(NULL, 0, pattern, list);
    va_end(list);
    char *text = malloc((size_t)length + 1);
    va_start(list, pattern);
    vsnprintf(text, (size_t)length + 1, pattern, list);
    va_end(list);
    return text;
}

static void channel_send(struct channel *channel, struct message message)
{
    pthread_mutex_lock(&channel->mutex);
    while (channel->used == sizeof channel->slots / sizeof *channel->slots)
        pthread_cond_wait(&channel->changed, &channel->mutex);
    assert(!channel->closed);
    channel->slots[channel->used++] = message;
    pthread_cond_broadcast(&channel->changed);
    pthread_mutex_unlock(&channel->mutex);
}

static void channel_close(struct channel *channel)
{
    pthread_mutex_lock(&channel->mutex);
    channel->closed = true;
#ifndef BUG
    pthread_cond_broadcast(&channel->changed);
#endif
    pthread_mutex_unlock(&channel->mutex);
}

static bool channel_receive(struct channel *channel, struct message *message)
{
    bool got = false;
    pthread_mutex_lock(&channel->mutex);
    while (channel->used == 0 && !channel->closed)
        pthread_cond_wait(&channel->changed, &channel->mutex);
    if (channel->used > 0) {
        *message = channel->slots[0];
        memmove(channel->slots, channel->slots + 1, --channel->used * sizeof *channel->slots);
        pthread_cond_broadcast(&channel->changed);
        got = true;
    }
    pthread_mutex_unlock(&channel->mutex);
    return got;
}

static void *parser(void *unused)
{
    struct message message;
    while (channel_receive(&input, &message)) {
        char *end;
        long number = strtol(message.text, &end, 10);
        if (*message.text != '\0' && *end == '\0') {
            free(message.text);
            message = (struct message){ .kind = NUMBER, .number = number };
        }
        channel_send(&middle, message);
    }
    channel_close(&middle);
    return unused;
}

static void *worker(void *unused)
{
    struct message message;
    while (channel_receive(&middle, &message)) {
        switch (message.kind) {
        case NUMBER: {
            char *text = format("<%ld:%s>", message.number * 2, message.number % 2 ? "odd" : "even");
            message = (struct message){ .kind = TEXT, .text = text };
            break;
        }
        case TEXT:
            for (char *at = message.text; *at; at++)
                *at = (char)toupper((unsigned char)*at);
            break;
        case END:
            assert(!"no end is ever sent");
        }
        channel_send(&output, message);
    }
    channel_close(&output);
    return unused;
}

static void *feeder(void *argument)
{
    const char *const *words = argument;
    for (; *words; words++)
        channel_send(&input, (struct message){ .kind = TEXT, .text = strdup(*words) });
    channel_close(&input);
    return NULL;
}

int main(void)
{
    static const char *const words[] = { "21", "abc", NULL };
    static const char *const expected[] = { "<42:odd>", "ABC" };
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, feeder, (void *)words);
    pthread_create(&threads[1], NULL, parser, NULL);
    pthread_create(&threads[2], NULL, worker, NULL);
    struct message message;
    size_t count = 0;
    while (channel_receive(&output, &message)) {
        assert(message.kind == TEXT);
        assert(count < 2 && strcmp(message.text, expected[count]) == 0);
        free(message.text);
        count++;
    }
    assert(count == 2);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
