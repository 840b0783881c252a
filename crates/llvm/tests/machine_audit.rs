//! Small C programs against every interleaving: each algorithm finds all traces, and equivalent
//! executions end in the same state.

mod machine_common;

use std::sync::Arc;

use machine_common::{clang, image};
use mazurka_audit::{Budget, Finding, Watch, brute_force};
use mazurka_explore::{Algorithm, Monitor, Options, explore};
use mazurka_llvm::{CMachine, Settings};

/// What two threads do, and what stands before them. Each thread is a function `a` or `b`; the
/// first thread creates and joins both.
const THREADS: [(&str, &str, &str, &str); 18] = [
    ("reads and writes", "static atomic_int x, y;", "x = 1; return (void *)(long)y;", "y = 1; return (void *)(long)x;"),
    (
        "compare and exchange",
        "static atomic_int x, y;",
        "int e = 0; if (atomic_compare_exchange_strong(&x, &e, 1)) y = 1; else y = 2; return 0;",
        "int e = 0; if (atomic_compare_exchange_strong(&x, &e, 2)) x = 0; return 0;",
    ),
    (
        "mutex",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x;",
        "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0;",
        "pthread_mutex_lock(&m); x *= 2; pthread_mutex_unlock(&m); return 0;",
    ),
    (
        "two mutexes, a deadlock",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
        "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0;",
        "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0;",
    ),
    (
        "trylock",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int x;",
        "if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); } return 0;",
        "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x = 5; return 0;",
    ),
    (
        "condition variable",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int x;",
        "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0;",
        "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0;",
    ),
    (
        "lost wake-up",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;",
        "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0;",
        "pthread_cond_signal(&c); return 0;",
    ),
    (
        "waiting for a flag",
        "static atomic_int f, x;",
        "x = 1; f = 1; x = 2; return 0;",
        "while (!f) ; x = 3; return 0;",
    ),
    (
        "waiting for two",
        "static atomic_int f, g, x;",
        "f = 1; x = 1; g = 1; return 0;",
        "while (!f || !g) sched_yield(); x = 3; return 0;",
    ),
    ("waiting in vain", "static atomic_int f, x;", "if (x) f = 1; return 0;", "x = 1; while (!f) ; return 0;"),
    (
        "test and set",
        "static atomic_flag l = ATOMIC_FLAG_INIT; static int x;",
        "while (atomic_flag_test_and_set(&l)) ; x++; atomic_flag_clear(&l); return 0;",
        "while (atomic_flag_test_and_set(&l)) ; x += 2; atomic_flag_clear(&l); return 0;",
    ),
    (
        "atomic sections",
        "static int x, y; void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);",
        "__VERIFIER_atomic_begin(); if (x) y = 1; else x = 1; __VERIFIER_atomic_end(); return 0;",
        "__VERIFIER_atomic_begin(); if (y == 0) x = 2; __VERIFIER_atomic_end(); y = 3; return 0;",
    ),
    (
        "atomic sections that wait",
        "static int x; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);",
        "__VERIFIER_atomic_begin(); x++; pthread_mutex_lock(&m); __VERIFIER_atomic_end(); pthread_mutex_unlock(&m); return 0;",
        "pthread_mutex_lock(&m); x = 3; pthread_mutex_unlock(&m); return 0;",
    ),
    (
        "choices",
        "static atomic_int x; _Bool __VERIFIER_nondet_bool(void);",
        "if (__VERIFIER_nondet_bool()) x = 1; return (void *)(long)__VERIFIER_nondet_bool();",
        "x = 2 + __VERIFIER_nondet_bool(); return 0;",
    ),
    (
        "freed too early",
        "static _Atomic(int *) p;",
        "int *q = malloc(4); *q = 1; p = q; p = 0; free(q); return 0;",
        "int *q = p; if (q) *q = 2; return 0;",
    ),
    (
        "left too early",
        "static _Atomic(int *) p;",
        "int local = 1; p = &local; local = 2; return 0;",
        "int *q = p; if (q) *q = 3; return 0;",
    ),
    ("exit", "static atomic_int x;", "x = 1; exit(0);", "x = 2; x = 3; return 0;"),
    (
        "reader-writer lock",
        "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static int x;",
        "pthread_rwlock_rdlock(&l); int y = x; pthread_rwlock_unlock(&l); return (void *)(long)y;",
        "pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l); return 0;",
    ),
];

fn source(before: &str, a: &str, b: &str) -> String {
    let headers =
        ["pthread.h", "sched.h", "stdatomic.h", "stdlib.h"].map(|name| format!("#include <{name}>\n")).concat();
    format!(
        "{headers}{before}\nstatic void *a(void *unused) {{ {a} }}\nstatic void *b(void *unused) {{ {b} }}\n\
         int main(void) {{ pthread_t s, t; void *r; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);\n\
         pthread_join(s, &r); pthread_join(t, &r); return 0; }}\n"
    )
}

#[test]
fn algorithms_find_what_there_is() {
    let Some(clang) = clang() else { return };
    // A data race is found by the explorer, not by the machine.
    let settings = Settings { data_races: false, ..Settings::default() };
    for (name, before, a, b) in THREADS {
        let image = Arc::new(image(&clang, "audit", &source(before, a, b), &settings));
        let truth = brute_force(&mut CMachine::new(image.clone()), Budget::default()).expect("small programs");
        assert!(truth.contradictions.is_empty(), "{name}: {:?}", truth.contradictions);
        for algorithm in [Algorithm::Dpor, Algorithm::Source, Algorithm::Optimal] {
            let mut watch = Watch::new(CMachine::new(image.clone()));
            let options = Options { algorithm, all: true, ..Options::default() };
            let outcome = explore(&mut watch, &options, &Monitor::default());
            let (census, _) = watch.finish();
            let traces = |census: &mazurka_audit::Census| census.traces.keys().cloned().collect::<Vec<_>>();
            assert!(outcome.limits.is_empty(), "{name}: {:?}", outcome.limits);
            assert_eq!(census.traces.len(), truth.traces.len(), "{name} with {algorithm}");
            assert!(traces(&census).iter().all(|trace| truth.traces.contains_key(trace)), "{name} with {algorithm}");
            assert_eq!(census.digests, truth.digests, "{name} with {algorithm}");
            let found = |census: &mazurka_audit::Census| census.findings.keys().cloned().collect::<Vec<Finding>>();
            assert_eq!(found(&census), found(&truth), "{name} with {algorithm}");
            if algorithm == Algorithm::Optimal {
                assert_eq!(outcome.executions as usize, truth.traces.len(), "{name}");
            }
        }
    }
}
