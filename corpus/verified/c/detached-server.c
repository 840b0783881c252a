// A server with detached handlers: buffers that grow, a count of those that are active, and a
// handler of the exit that looks at it.
// Count: as the algorithms agree; brute force does not come to an end.
//~ skip: none
//~ dpor: executions=8
//~ source: executions=8
//~ optimal: executions=8
//~ observers: executions=8
//~ cs: executions=8
//~ optimal-cs: executions=8
//~ optimal-cs-observers: executions=8
//~ constrained: executions=8
//~ quasi:optimal: executions=8
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTIONS 2

enum state { FREE, OPEN, CLOSING };

struct connection {
    enum state state;
    unsigned char *request;
    size_t length, capacity;
    long reply;
};

static struct server {
    pthread_mutex_t lock;
    pthread_cond_t idle;
    unsigned active, total;
    struct connection table[CONNECTIONS];
} server = { .lock = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER };

static void append(struct connection *connection, const void *data, size_t size)
{
    if (connection->length + size > connection->capacity) {
        size_t capacity = connection->capacity ? 2 * connection->capacity : 4;
        while (capacity < connection->length + size)
            capacity *= 2;
        unsigned char *grown = realloc(connection->request, capacity);
        if (!grown)
            abort();
        connection->request = grown;
        connection->capacity = capacity;
    }
    memcpy(connection->request + connection->length, data, size);
    connection->length += size;
}

static long handle(const struct connection *connection)
{
    long sum = 0;
    for (size_t i = 0; i < connection->length; i++)
        sum = sum * 10 + (connection->request[i] - '0');
    return sum;
}

static void *handler(void *argument)
{
    struct connection *connection = argument;
    assert(connection->state == OPEN);
    connection->reply = handle(connection);
    free(connection->request);
#ifndef BUG
    pthread_mutex_lock(&server.lock);
#endif
    connection->state = CLOSING;
    server.total++;
    if (--server.active == 0)
        pthread_cond_signal(&server.idle);
#ifndef BUG
    pthread_mutex_unlock(&server.lock);
#endif
    return NULL;
}

static void serve(struct connection *connection, const char *text)
{
    pthread_attr_t attributes;
    pthread_t thread;
    for (const char *at = text; *at; at += at[1] ? 2 : 1)
        append(connection, at, at[1] ? 2 : 1);
    connection->state = OPEN;
    pthread_mutex_lock(&server.lock);
    server.active++;
    pthread_mutex_unlock(&server.lock);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, handler, connection);
    pthread_attr_destroy(&attributes);
}

static void wait_until_idle(void)
{
    pthread_mutex_lock(&server.lock);
    while (server.active > 0)
        pthread_cond_wait(&server.idle, &server.lock);
    pthread_mutex_unlock(&server.lock);
}

static void at_exit(void)
{
    pthread_mutex_lock(&server.lock);
    assert(server.active == 0 && server.total == CONNECTIONS);
    pthread_mutex_unlock(&server.lock);
}

int main(void)
{
    atexit(at_exit);
    serve(&server.table[0], "12345");
    serve(&server.table[1], "678901234");
    wait_until_idle();
    assert(server.table[0].reply == 12345 && server.table[1].reply == 678901234);
    for (int i = 0; i < CONNECTIONS; i++)
        assert(server.table[i].state == CLOSING);
    exit(0);
}
