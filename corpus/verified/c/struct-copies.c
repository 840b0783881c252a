// Structures by value: assigned, passed, returned, compared by memcmp, nested, with unions, bit fields and arrays.
// Count: 1.
//~ none: executions=1
//~ dpor: executions=1
//~ source: executions=1
//~ optimal: executions=1
//~ observers: executions=1
//~ cs: executions=1
//~ optimal-cs: executions=1
//~ optimal-cs-observers: executions=1
//~ constrained: executions=1
//~ quasi:optimal: executions=1
#include <assert.h>
#include <string.h>

struct point {
    int x, y;
};
struct large {
    struct point points[3];
    union {
        unsigned number;
        unsigned char bytes[4];
    } u;
    unsigned low : 3, high : 5;
    double weight;
};

static struct large global;

static struct point swapped(struct point p)
{
    return (struct point){p.y, p.x};
}

static struct large changed(struct large l)
{
    l.points[1] = swapped(l.points[1]);
    l.u.number = 0x01020304;
    l.low += 9;
    l.high += 3;
    return l;
}

int main(void)
{
    global = (struct large){.points = {{1, 2}, {3, 4}, {5, 6}}, .high = 30, .weight = 1.5};
    struct large copy = changed(global), again;
    assert(global.points[1].x == 3 && copy.points[1].x == 4 && copy.points[1].y == 3);
    assert(copy.u.bytes[0] == 4 && copy.low == 1 && copy.high == 1 && copy.weight == 1.5);
    memcpy(&again, &copy, sizeof copy);
    assert(memcmp(again.points, copy.points, sizeof copy.points) == 0 && again.points[2].y == 6);
    struct point *last = &again.points[2];
    *last = again.points[0];
    assert(last->x == 1 && last->y == 2);
    return 0;
}
