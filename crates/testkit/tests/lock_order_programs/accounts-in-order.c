// Two threads move money between two accounts, in opposite directions, and lock them in the order of
// their addresses.
#include <pthread.h>

struct account {
    long balance;
    pthread_mutex_t m;
};
static struct account a = {10, PTHREAD_MUTEX_INITIALIZER}, b = {10, PTHREAD_MUTEX_INITIALIZER};

static void move(struct account *from, struct account *to) {
    struct account *low = from < to ? from : to, *high = from < to ? to : from;
    pthread_mutex_lock(&low->m);
    pthread_mutex_lock(&high->m);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&from->m);
    pthread_mutex_unlock(&to->m);
}

static void *first(void *unused) {
    move(&a, &b);
    return unused;
}

static void *second(void *unused) {
    move(&b, &a);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
