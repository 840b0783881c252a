// Objects with strong and weak references: the last strong one destroys, the last weak one frees.
// An upgrade succeeds only while a strong one is left.
// Count: as the algorithms agree; brute force does not come to an end.
//~ flags: --leaks
//~ skip: none
//~ dpor: executions=373 blocked=15
//~ source: executions=373 blocked=15
//~ optimal: executions=373
//~ observers: executions=373
//~ cs: executions=373 blocked=15
//~ optimal-cs: executions=373
//~ optimal-cs-observers: executions=373
//~ constrained: executions=373 blocked=15
//~ quasi:optimal: executions=373
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifndef OBSERVERS
#define OBSERVERS 2
#endif

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct kref { atomic_int strong; atomic_int weak; };

struct object {
    int id;
    char *name;
    struct kref refs;
};

typedef void release_fn(struct kref *);

static atomic_int alive;

static void kref_init(struct kref *refs)
{
    atomic_init(&refs->strong, 1);
    atomic_init(&refs->weak, 1);
}

static bool kref_try_get(struct kref *refs)
{
#ifdef BUG
    if (atomic_load(&refs->strong) == 0)
        return false;
    atomic_fetch_add(&refs->strong, 1);
    return true;
#else
    int count = atomic_load(&refs->strong);
    while (count != 0) {
        if (atomic_compare_exchange_weak(&refs->strong, &count, count + 1))
            return true;
    }
    return false;
#endif
}

static void kref_put_weak(struct kref *refs, release_fn *free_object)
{
    if (atomic_fetch_sub(&refs->weak, 1) == 1)
        free_object(refs);
}

static void kref_put(struct kref *refs, release_fn *destroy, release_fn *free_object)
{
    if (atomic_fetch_sub(&refs->strong, 1) == 1) {
        destroy(refs);
        kref_put_weak(refs, free_object);
    }
}

static void object_destroy(struct kref *refs)
{
    struct object *object = container_of(refs, struct object, refs);
    free(object->name);
    object->name = NULL;
    atomic_fetch_sub(&alive, 1);
}

static void object_free(struct kref *refs)
{
    free(container_of(refs, struct object, refs));
}

static struct object *object_new(int id, const char *name)
{
    struct object *object = malloc(sizeof *object);
    object->id = id;
    object->name = strdup(name);
    kref_init(&object->refs);
    atomic_fetch_add(&alive, 1);
    return object;
}

static struct object *object_upgrade(struct object *weak)
{
    return kref_try_get(&weak->refs) ? weak : NULL;
}

static void object_put(struct object *object) { kref_put(&object->refs, object_destroy, object_free); }
static void object_put_weak(struct object *object) { kref_put_weak(&object->refs, object_free); }

struct job { struct object *weak; size_t seen; };

static void *observer(void *argument)
{
    struct job *job = argument;
    struct object *object = object_upgrade(job->weak);
    if (object) {
        job->seen = strlen(object->name);
        object_put(object);
    }
    object_put_weak(job->weak);
    return NULL;
}

int main(void)
{
    struct object *object = object_new(7, "seven");
    struct job jobs[OBSERVERS];
    pthread_t threads[OBSERVERS];
    for (int i = 0; i < OBSERVERS; i++) {
        atomic_fetch_add(&object->refs.weak, 1);
        jobs[i] = (struct job){ .weak = object, .seen = 0 };
        pthread_create(&threads[i], NULL, observer, &jobs[i]);
    }
    assert(object->id == 7);
    object_put(object);
    for (int i = 0; i < OBSERVERS; i++) {
        pthread_join(threads[i], NULL);
        assert(jobs[i].seen == 0 || jobs[i].seen == 5);
    }
    assert(atomic_load(&alive) == 0);
    return 0;
}
