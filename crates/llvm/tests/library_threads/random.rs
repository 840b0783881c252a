//! Random programs of two or three threads that use the library: what is explored has to be what
//! there is.

use std::fmt::Write;
use std::sync::Arc;

use mazurka_audit::{Budget, brute_force};
use mazurka_clang::{Clang, build};
use mazurka_llvm::{CMachine, Settings};

/// So many programs, unless `MAZURKA_RANDOM` says otherwise.
const PROGRAMS: u64 = 24;

/// A generator of numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// What threads do, by feature; `@` stands for something done to a variable.
const FEATURES: &[&[&str]] = &[
    &["pthread_mutex_lock(&m); @ pthread_mutex_unlock(&m);"],
    &["if (pthread_mutex_trylock(&m) == 0) { @ pthread_mutex_unlock(&m); }"],
    &[
        "pthread_rwlock_rdlock(&rw); @ pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_rdlock(&rw); @ pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_wrlock(&rw); @ pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_rdlock(&rw); @",
    ],
    &[
        "if (pthread_rwlock_tryrdlock(&rw) == 0) { @ pthread_rwlock_unlock(&rw); }",
        "if (pthread_rwlock_trywrlock(&rw) == 0) { @ pthread_rwlock_unlock(&rw); }",
    ],
    &[
        "sem_wait(&s);",
        "sem_post(&s);",
        "sem_post(&s);",
        "if (sem_trywait(&s) == 0) { @ }",
        "int g; sem_getvalue(&s, &g); seen += g;",
    ],
    &[
        "pthread_mutex_lock(&m); @ if (!x) pthread_cond_wait(&c, &m); @ pthread_mutex_unlock(&m);",
        "pthread_cond_signal(&c);",
        "pthread_cond_broadcast(&c);",
        "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
    ],
    &[
        "pthread_mutex_lock(&m); if (pthread_cond_timedwait(&c, &m, &ts)) { @ } pthread_mutex_unlock(&m);",
        "pthread_cond_signal(&c);",
    ],
    &["pthread_once(&o, init); @"],
    &["seen += pthread_barrier_wait(&b);"],
    &[
        "pthread_spin_lock(&sp); @ pthread_spin_unlock(&sp);",
        "if (pthread_spin_trylock(&sp) == 0) { @ pthread_spin_unlock(&sp); }",
    ],
    &[
        "syscall(202, &x, 0, 0, 0);",
        "syscall(202, &x, 1, 1);",
        "x = 1; syscall(202, &x, 1, 2);",
        "syscall(202, &x, 0, 0, &ts);",
    ],
    &[
        "while (pthread_mutex_trylock(&m)) sched_yield(); @ pthread_mutex_unlock(&m);",
        "while (pthread_mutex_trylock(&m)) { if (x) return a; } @ pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); @ pthread_mutex_unlock(&m);",
    ],
    &["while (sem_trywait(&s)) { } @", "sem_post(&s);", "sem_post(&s);"],
    &[
        "for (;;) { pthread_mutex_lock(&m); int r = x; pthread_mutex_unlock(&m); if (r) break; }",
        "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        "x = 1;",
        "pthread_mutex_lock(&m); @ pthread_mutex_unlock(&m);",
    ],
    &[
        "d = 1; atomic_store_explicit(&x, 1, memory_order_relaxed);",
        "d = 2; atomic_store_explicit(&x, 1, memory_order_release);",
        "d++; atomic_thread_fence(memory_order_release); atomic_store_explicit(&x, 1, memory_order_relaxed);",
        "if (atomic_load_explicit(&x, memory_order_acquire) == 1) seen += d;",
        "if (atomic_load_explicit(&x, memory_order_relaxed) == 1) { atomic_thread_fence(memory_order_acquire); seen += d; }",
        "if (atomic_load_explicit(&x, memory_order_relaxed) == 1) seen += d;",
        "atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);",
        "int e = 1; if (atomic_compare_exchange_strong_explicit(&x, &e, 2, memory_order_acquire, memory_order_relaxed)) d++;",
    ],
    &[
        "if (pthread_mutex_trylock(&m)) seen += d; else pthread_mutex_unlock(&m);",
        "d = 2; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
        "d = 3; pthread_mutex_lock(&m);",
        "if (pthread_rwlock_tryrdlock(&rw)) seen += d; else pthread_rwlock_unlock(&rw);",
        "d = 4; pthread_rwlock_wrlock(&rw);",
        "if (sem_trywait(&s)) seen += d;",
        "d = 5; sem_wait(&s);",
    ],
    &[
        "while (pthread_spin_trylock(&sp)) { } @ pthread_spin_unlock(&sp);",
        "pthread_spin_lock(&sp); @ pthread_spin_unlock(&sp);",
        "for (;;) { pthread_rwlock_rdlock(&rw); int r = x + y; pthread_rwlock_unlock(&rw); if (r) break; }",
    ],
];

const ACTIONS: &[&str] = &["x++;", "y++;", "x = 1;", "y = 0;", "seen += x;", "seen += y;", "", ""];

const HEAD: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER; pthread_once_t o = PTHREAD_ONCE_INIT;
sem_t s; pthread_barrier_t b; pthread_spinlock_t sp; struct timespec ts; atomic_int x, y; int d;
static void init(void) { y++; }
";

fn operations(random: &mut Random, features: &[usize], most: usize) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(most) {
        let feature = random.pick(features);
        let action = random.pick(ACTIONS);
        let operation = if random.below(4) == 0 { action } else { random.pick(FEATURES[feature]) };
        let _ = write!(text, "{{ {} }} ", operation.replace('@', action));
    }
    text
}

fn program(random: &mut Random) -> String {
    let features: Vec<usize> = (0..=random.below(3)).map(|_| random.below(FEATURES.len())).collect();
    let threads = random.pick(&[2, 2, 2, 3]);
    let mut text = HEAD.to_owned();
    for thread in 0..threads {
        let body = operations(random, &features, if threads == 2 { 3 } else { 2 });
        let check = if random.below(4) == 0 { "assert(seen != 2);" } else { "" };
        let _ = writeln!(text, "static void *t{thread}(void *a) {{ int seen = 0; {body}{check} return a; }}");
    }
    let (value, size) = (random.below(2), random.pick(&[2, 2, 3]));
    let _ = write!(text, "int main(void) {{ pthread_t t[3]; int seen = 0, a = 0; sem_init(&s, 0, {value}); ");
    let _ = writeln!(text, "pthread_barrier_init(&b, 0, {size}); pthread_spin_init(&sp, 0);");
    for thread in 0..threads {
        let _ = writeln!(text, "pthread_create(&t[{thread}], 0, t{thread}, 0);");
    }
    if random.below(3) == 0 {
        text += &operations(random, &features, 2);
    }
    for thread in 0..threads {
        let _ = writeln!(text, "pthread_join(t[{thread}], 0);");
    }
    text + "return seen < -100; }\n"
}

#[test]
fn random_programs() {
    if Clang::find(None).is_err() {
        eprintln!("there is no clang: nothing is tried");
        return;
    }
    let programs = std::env::var("MAZURKA_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS);
    let file = std::env::temp_dir().join(format!("mazurka-library-{}.c", std::process::id()));
    for seed in 0..programs {
        let text = program(&mut Random(seed));
        std::fs::write(&file, &text).expect("a file can be written");
        let built = build(std::slice::from_ref(&file), None, &mazurka_clang::Options::default(), &Settings::default())
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let image = Arc::new(built.image);
        let budget = Budget { executions: 5_000, steps: 50_000, depth: 1_000 };
        if let Ok(truth) = brute_force(&mut CMachine::new(Arc::clone(&image)), budget) {
            super::compare(&format!("program {seed}\n{text}"), &truth, &mut CMachine::new(image));
        }
    }
    std::fs::remove_file(&file).expect("the file can be removed");
}
