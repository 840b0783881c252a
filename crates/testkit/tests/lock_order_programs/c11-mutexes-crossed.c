// The mutexes of C11, in opposite orders.
#include <threads.h>

static mtx_t a, b;

static int first(void *unused) {
    (void)unused;
    mtx_lock(&a);
    mtx_lock(&b);
    mtx_unlock(&b);
    mtx_unlock(&a);
    return 0;
}

static int second(void *unused) {
    (void)unused;
    mtx_lock(&b);
    mtx_lock(&a);
    mtx_unlock(&a);
    mtx_unlock(&b);
    return 0;
}

int main(void) {
    mtx_init(&a, mtx_plain);
    mtx_init(&b, mtx_plain);
    thrd_t one, two;
    thrd_create(&one, first, NULL);
    thrd_create(&two, second, NULL);
    thrd_join(one, NULL);
    thrd_join(two, NULL);
    return 0;
}
