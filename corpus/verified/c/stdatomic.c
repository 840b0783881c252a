// All of stdatomic.h in one thread: loads, stores, exchanges, arithmetic, flags, fences, of every size.
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
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static _Atomic(uint8_t) byte;
static _Atomic(int16_t) half;
static atomic_int word;
static _Atomic(uint64_t) wide;
static atomic_bool truth;
static int cells[3];
static int *_Atomic pointer = cells;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    atomic_store(&byte, 250);
    assert(atomic_fetch_add(&byte, 10) == 250 && byte == 4);
    atomic_store_explicit(&half, -3, memory_order_release);
    assert(atomic_fetch_sub(&half, 5) == -3 && atomic_load_explicit(&half, memory_order_acquire) == -8);
    atomic_init(&word, 12);
    assert(atomic_fetch_or(&word, 3) == 12 && atomic_fetch_and(&word, 6) == 15 && atomic_fetch_xor(&word, 5) == 6);
    assert(atomic_exchange(&word, 7) == 3);
    int expected = 8;
    assert(!atomic_compare_exchange_strong(&word, &expected, 9) && expected == 7);
    assert(atomic_compare_exchange_strong_explicit(&word, &expected, 9, memory_order_acq_rel, memory_order_relaxed));
    while (!atomic_compare_exchange_weak(&word, &expected, 10))
        ;
    assert(word == 10);
    wide = UINT64_C(1) << 40;
    wide += 5;
    wide++;
    assert(wide == (UINT64_C(1) << 40) + 6);
    truth = true;
    assert(atomic_exchange(&truth, false) && !truth);
    assert(atomic_fetch_add(&pointer, 2) == cells && pointer == cells + 2);
    pointer--;
    assert(pointer == &cells[1]);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear(&flag);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    assert(atomic_is_lock_free(&word));
    return 0;
}
