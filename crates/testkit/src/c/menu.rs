//! The statements that random C programs are made of, as templates.
//!
//! In a template `N` stands for a small number, `V` for a small number or a local, `T` for the
//! number of a thread, `R` for an object number that a machine might give out, and `$` for the
//! program's prefix. `{` and `}` at the ends of a template are where other statements go: see
//! [`Template::around`].

/// A statement, or what stands before and after others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template {
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

impl Template {
    /// A statement by itself.
    const fn new(before: &'static str) -> Self {
        Template { before, after: "" }
    }

    /// What stands around other statements.
    const fn around(before: &'static str, after: &'static str) -> Self {
        Template { before, after }
    }
}

macro_rules! templates {
    ($($before:literal $(.. $after:literal)?),* $(,)?) => {
        &[$(template!($before $(.. $after)?)),*]
    };
}
macro_rules! template {
    ($before:literal) => {
        Template::new($before)
    };
    ($before:literal .. $after:literal) => {
        Template::around($before, $after)
    };
}

/// Plain variables that everybody may use.
pub(super) const PLAIN: &[Template] = templates![
    "$x = V;",
    "$y = V;",
    "i = $x;",
    "j = $y;",
    "$x++;",
    "$x = $y;",
    "$y = $x + N;",
    "i = $get(&$x);",
    "$put(&$y, V);",
    "if ($x == N) j = 1;",
    "$guarded = V;",
    "i = $guarded;",
];

/// Variables that are atomic.
pub(super) const ATOMIC: &[Template] = templates![
    "$a = V;",
    "$b = V;",
    "i = $a;",
    "j = $b;",
    "$a++;",
    "i = __c11_atomic_fetch_add(&$a, N, 5);",
    "__c11_atomic_fetch_add(&$a, N, 5);",
    "__c11_atomic_fetch_sub(&$b, N, 0);",
    "__c11_atomic_fetch_add(&$b, N, 3);",
    "$ac--;",
    "i = __c11_atomic_exchange(&$b, V, 5);",
    "k = N; i = __c11_atomic_compare_exchange_strong(&$a, &k, V, 5, 5);",
    "j = N; __c11_atomic_compare_exchange_weak(&$b, &j, V, 5, 5);",
    "$al = V;",
    "l = $al;",
    "$ac = V;",
    "i = $ac;",
    "$a = $b;",
    "__c11_atomic_fetch_or(&$ac, N, 5);",
    "__c11_atomic_store(&$a, V, 3);",
    "i = __c11_atomic_load(&$a, 2);",
    "i = __c11_atomic_load(&$b, 0);",
    "__c11_atomic_store(&$b, V, 0);",
    "__c11_atomic_thread_fence(5);",
];

/// Parts of variables.
pub(super) const WIDTHS: &[Template] = templates![
    "$u.word = V;",
    "i = $u.word;",
    "$u.half[0] = V;",
    "j = $u.half[1];",
    "$u.byte[N] = V;",
    "i = $u.byte[N];",
    "$z = V;",
    "l = $z;",
    "((char *)&$z)[N] = V;",
    "i = ((short *)&$z)[N];",
    "((int *)&$z)[1] = V;",
    "$s = V;",
    "i = $s;",
    "$c = V;",
    "j = $c;",
    "((char *)&$al)[N] = V;",
    "memcpy(&$z, &l, 8);",
    "memcpy(&$u, &$z, 3);",
];

/// What is guarded by the first mutex.
pub(super) const GUARDED: &[Template] = templates![
    "$guarded = V;",
    "i = $guarded;",
    "$guarded++;",
    "$flag = 1;",
    "$flag = V;",
    "if ($flag) $guarded = N;",
    "pthread_cond_signal(&$cv);",
    "pthread_cond_broadcast(&$cv);",
    "j = $flag;",
];

/// How what is guarded is guarded.
pub(super) const GUARDS: &[Template] = templates![
    "pthread_mutex_lock(&$m);".."pthread_mutex_unlock(&$m);",
    "if (!pthread_mutex_trylock(&$m)) {".."  pthread_mutex_unlock(&$m); }",
    "pthread_mutex_lock(&$m); while (!$flag) pthread_cond_wait(&$cv, &$m);".."pthread_mutex_unlock(&$m);",
];

/// Locks, around other statements or not.
pub(super) const LOCKS: &[Template] = templates![
    "pthread_mutex_lock(&$n);".."pthread_mutex_unlock(&$n);",
    "pthread_mutex_lock(&$m);".."pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$r);".."pthread_mutex_unlock(&$r);",
    "pthread_mutex_lock(&$r); pthread_mutex_lock(&$r);".."pthread_mutex_unlock(&$r); pthread_mutex_unlock(&$r);",
    "i = pthread_mutex_lock(&$e);".."j = pthread_mutex_unlock(&$e);",
    "if (!pthread_mutex_trylock(&$n)) {".."  pthread_mutex_unlock(&$n); }",
    "if (!pthread_mutex_trylock(&$r)) {".."  pthread_mutex_unlock(&$r); }",
    "pthread_spin_lock(&$spin);".."pthread_spin_unlock(&$spin);",
    "if (!pthread_spin_trylock(&$spin)) {".."  pthread_spin_unlock(&$spin); }",
    "pthread_rwlock_rdlock(&$rw);".."pthread_rwlock_unlock(&$rw);",
    "pthread_rwlock_wrlock(&$rw);".."pthread_rwlock_unlock(&$rw);",
    "if (!pthread_rwlock_tryrdlock(&$rw)) {".."  pthread_rwlock_unlock(&$rw); }",
    "if (!pthread_rwlock_trywrlock(&$rw)) {".."  pthread_rwlock_unlock(&$rw); }",
    "i = pthread_mutex_trylock(&$n);",
    "i = pthread_mutex_trylock(&$e);",
    "j = pthread_mutex_unlock(&$e);",
    "pthread_mutex_lock(&$n);",
    "pthread_mutex_unlock(&$n);",
];

/// Waiting for others.
pub(super) const WAITS: &[Template] = templates![
    "pthread_mutex_lock(&$m); while (!$flag) pthread_cond_wait(&$cv, &$m); pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); if (!$flag) pthread_cond_wait(&$cv, &$m); i = $flag; pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); $flag = 1; pthread_cond_signal(&$cv); pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); $flag = 1; pthread_cond_broadcast(&$cv); pthread_mutex_unlock(&$m);",
    "pthread_cond_signal(&$cv);",
    "sem_wait(&$sem);",
    "sem_post(&$sem);",
    "i = sem_trywait(&$sem);",
    "sem_getvalue(&$sem, &j);",
    "sem_wait(&$sem);".."sem_post(&$sem);",
    "pthread_barrier_wait(&$bar);",
    "while (!$a) ;",
    "while ($b < N) ;",
    "while ($a == 0 && $b == 0) ;",
    "do i = $ac; while (i != N);",
    "while (!pthread_mutex_trylock(&$n)) pthread_mutex_unlock(&$n);",
    "while (!__c11_atomic_exchange(&$a, 0, 5)) ;",
];

/// Objects that are shared by address.
pub(super) const POINTERS: &[Template] = templates![
    "q = malloc(sizeof *q); *q = V; $ap = q;",
    "q = malloc(sizeof *q); *q = V; $gp = q;",
    "q = malloc(sizeof *q); *q = V; i = *q; free(q); q = 0;",
    "q = $ap; if (q) i = *q;",
    "q = $ap; if (q) *q = V;",
    "q = $gp; if (q) (*q)++;",
    "q = __c11_atomic_exchange(&$ap, 0, 5); if (q) { i = *q; }",
    "{ int *mine = malloc(sizeof *mine); *mine = V; mine = __c11_atomic_exchange(&$ap, mine, 5); if (mine) { i = *mine; } }",
    "k = V; $ap = &k;",
    "k = V; $gp = &k;",
    "i = k;",
    "k++;",
    "$tl = V;",
    "i = $tl;",
    "$ap = &$tl;",
    "if (arg) *(int *)arg = V;",
    "if (arg) i = *(int *)arg;",
    "{ struct $pair *node = malloc(sizeof *node); node->a = V; node->b = (long)q; $pp = node; }",
    "{ struct $pair *node = $pp; if (node) { l = node->a; node->b = V; } }",
    "{ int *mine = malloc(sizeof *mine); *mine = V; t.b = (long)mine; }",
    "{ int inner = V; $ap = &inner; j = inner; }",
    "q = $ap; if (q && q != &k && q != &$tl) { i = *q; free(q); }",
    "i = $ap == &k;",
];

/// Numbers that look like addresses.
pub(super) const NUMBERS: &[Template] = templates![
    "$z = (long)R << 32;",
    "$al = (long)R << 32 | N;",
    "t.a = (long)R << 32; $ps = t;",
    "t = $ps; i = t.a >> 32;",
    "$ps = t;",
    "l = (long)R << 32 | 4; memcpy(&$ps.b, &l, 8);",
    "l = $al; $z = l;",
    "$pp = (struct $pair *)0; $al = (long)&k;",
    "$al = (long)q;",
];

/// Text.
pub(super) const TEXT: &[Template] = templates![
    "printf(\"%d\\n\", $x);",
    "printf(\"%d %ld\\n\", i, l);",
    "snprintf($text, sizeof $text, \"%d\", V);",
    "snprintf(text, sizeof text, \"%d\", $y); i = text[0];",
    "i = $text[0];",
    "printf(\"%s\\n\", $text);",
    "$text[N] = 'a' + V;",
    "memcpy(text, $text, 8); j = text[1];",
    "snprintf($text, sizeof $text, \"%s\", text);",
];

/// Handles, and threads other than by the plan.
pub(super) const THREADS: &[Template] = templates![
    "$self = pthread_self();",
    "l = $self; if (l && l != pthread_self()) pthread_join(l, 0);",
    "pthread_detach(pthread_self());",
    "if ($up[T]) pthread_join($h[T], 0);",
    "if ($up[T]) { void *end; pthread_join($h[T], &end); i = (long)end; }",
    "if ($up[T]) pthread_detach($h[T]);",
    "i = $up[T];",
    "i = $h[T] == pthread_self();",
    "$h[0] = $h[T];",
];

/// How things end.
pub(super) const ENDINGS: &[Template] = templates![
    "if (i == N) return 0;",
    "if (j) pthread_exit(0);",
    "pthread_exit((void *)(long)i);",
    "if (i == N) exit(0);",
    "exit(i);",
    "__VERIFIER_assume(i != N);",
    "__VERIFIER_assume(j == 0);",
    "if (__VERIFIER_nondet_bool()) return 0;",
];

/// Atomic sections and choices.
pub(super) const SECTIONS: &[Template] = templates![
    "__VERIFIER_atomic_begin();".."__VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); $x++; i = $x; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); if ($y) $x = N; else $a = N; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); __VERIFIER_assume($a != N); $b = V; __VERIFIER_atomic_end();",
    "i = __VERIFIER_nondet_bool();",
    "$a = __VERIFIER_nondet_bool();",
    "if (__VERIFIER_nondet_bool()) {".."}",
];

/// Branches.
pub(super) const BRANCHES: &[Template] = templates![
    "if (i == N) {".."}",
    "if (j) {".."}",
    "if (i != j) {".."}",
    "if ($a == N) {".."}",
    "for (int n = 0; n < 2; n++) {".."}",
    "for (int n = 0; n < i; n++) {".."}",
];

/// Assertions.
pub(super) const ASSERTS: &[Template] = templates![
    "assert(i != N);",
    "assert(j != N || i != N);",
    "assert(i <= j + 1);",
    "assert(l != N);",
    "assert($a != 3);",
    "i = $x; assert(i != N);",
    "i = $b; assert(i != N);",
];
