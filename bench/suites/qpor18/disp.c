// A dispatcher: S servers look once at their in-boxes; in each of R rounds a picker runs through the servers' numbers, and the
// dispatcher puts a request into the in-box of the server whose number it finds.
// From: QPOR (CAV 2018), Table 1, Disp.
// Count: S = 5: 137 with R = 2, 1,482 with 3, 15,282 with 4, 151,032 with 5.
#include <pthread.h>
#include <stdint.h>

#ifndef S
#define S 5
#endif
#ifndef R
#define R 3
#endif

static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER, server[S];
static int sid, in[S], out[S];

static void *serve(void *argument)
{
    int i = (int)(intptr_t)argument;
    pthread_mutex_lock(&server[i]);
    if (in[i] > 0)
        out[i] = in[i];
    pthread_mutex_unlock(&server[i]);
    return NULL;
}

static void *pick(void *unused)
{
    (void)unused;
    for (int x = 0; x < S; x++) {
        pthread_mutex_lock(&k);
        sid = x;
        pthread_mutex_unlock(&k);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread, picker;
    for (int i = 0; i < S; i++)
        pthread_mutex_init(&server[i], NULL);
    for (intptr_t i = 0; i < S; i++)
        pthread_create(&thread, NULL, serve, (void *)i);
    for (int round = 0; round < R; round++) {
        pthread_create(&picker, NULL, pick, NULL);
        pthread_mutex_lock(&k);
        int chosen = sid;
        pthread_mutex_unlock(&k);
        pthread_mutex_lock(&server[chosen]);
        in[chosen]++;
        pthread_mutex_unlock(&server[chosen]);
        pthread_join(picker, NULL);
    }
    pthread_exit(NULL);
}
