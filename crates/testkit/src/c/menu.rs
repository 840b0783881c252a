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

/// Structures, blocks that grow, functions by address.
pub(super) const OBJECTS: &[Template] = templates![
    "$recs[N].a = V;",
    "i = $recs[N].a;",
    "$recs[N].b = V;",
    "$recs[N] = $recs[N];",
    "{ struct $rec rec = $recs[N]; i = rec.a; if (rec.p) j = *rec.p; }",
    "{ struct $rec rec = {V, 1, \"ab\", &k}; $recs[N] = rec; }",
    "{ struct $rec rec = {V, 2, \"c\", q}; memcpy(&$recs[N], &rec, sizeof rec); }",
    "{ struct $rec rec; memcpy(&rec, &$recs[N], sizeof rec); i = rec.b; if (rec.p) *rec.p = V; }",
    "memmove($recs, $recs + 1, sizeof *$recs);",
    "memset(&$recs[N], V, sizeof *$recs);",
    "memset($recs[N].c, V, 2);",
    "i = memcmp(&$recs[0], &$recs[1], 6);",
    "$recs[N].c[N] = V;",
    "{ struct $rec *rec = malloc(2 * sizeof *rec); rec[1].a = V; rec[1].p = &k; $arp = rec + 1; }",
    "{ struct $rec *rec = $arp; if (rec) { rec->a++; i = rec->a; } }",
    "{ struct $rec *rec = $arp; if (rec && rec->p) j = *rec->p; }",
    "{ struct $rec *rec = __c11_atomic_exchange(&$arp, 0, 5); if (rec) { $recs[0] = *rec; free(rec - 1); } }",
    "$arp = &$recs[N];",
    "$arp = 0;",
    "{ int *grown = realloc($block, 8); grown[1] = V; $block = grown; }",
    "{ int *grown = realloc($block, 4); grown[0] = V; $block = grown; }",
    "if ($block) i = *$block;",
    "pthread_mutex_lock(&$m); { int *grown = realloc($block, 8); grown[1] = V; $block = grown; } pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); if ($block) { $block[0] = V; i = *$block; } pthread_mutex_unlock(&$m);",
    "$afn = $inc;",
    "$afn = $look;",
    "{ int (*f)(int) = $afn; if (f) i = f(i); }",
    "{ int (*f)(int) = V ? $inc : $look; j = f(j); }",
    "{ int many[i + 3]; memset(many, 0, sizeof many); many[N] = V; j = many[0]; }",
    "{ long word = (long)$arp; struct $rec *rec = (struct $rec *)(word & ~1L); if (rec) rec->b = V; }",
    "$al = (long)$arp | 1;",
    "{ struct $rec *rec = (struct $rec *)($al & ~1L); if ($al & 1) i = rec->a; }",
];

/// Counters, and other uses of them.
pub(super) const COUNTERS: &[Template] = templates![
    "$a++;",
    "$cn[N]++;",
    "$cn[N]--;",
    "$cn[i & 1] += N;",
    "__c11_atomic_fetch_add(&$cn[N], V, 0);",
    "__c11_atomic_fetch_sub(&$cn[N], 1, 3);",
    "$cs.n++;",
    "$cs.s += 100;",
    "$cs.c--;",
    "i = $cn[N];",
    "j = $cs.n;",
    "i = $cs.s;",
    "i = ++$cn[N];",
    "j = $cn[N]--;",
    "i = __c11_atomic_load(&$cn[N], 0);",
    "$cn[N] = V;",
    "i = __c11_atomic_exchange(&$cn[N], V, 5);",
    "{ int e = N; i = __c11_atomic_compare_exchange_strong(&$cn[N], &e, V, 5, 5); }",
    "{ int e = N; __c11_atomic_compare_exchange_weak(&$cs.n, &e, e + 1, 5, 5); j = e; }",
    "memcpy(&i, (void *)&$cn[N], 4);",
    "*(int *)&$cn[N] = V;",
    "memset((void *)$cn, 0, 8);",
    "i = ((char *)&$cs)[N];",
    "if ($cn[N] == N) {".."}",
    "if ($cn[N] > $cs.n) {".."}",
    "while ($cn[N] < 1) ;",
    "while ($cs.n != N) ;",
    "__c11_atomic_fetch_or(&$cn[N], N, 5);",
    "{ _Atomic int *c = i ? &$cn[0] : &$cs.n; (*c)++; }",
    "{ _Atomic int *c = malloc(sizeof *c); *c = V; (*c)++; $heap = c; }",
    "{ _Atomic int *c = $heap; if (c) (*c)++; }",
    "{ _Atomic int *c = $heap; if (c && *c == N) { $heap = 0; free((void *)c); } }",
    "{ _Atomic int *c = $heap; if (c && __c11_atomic_fetch_sub(c, 1, 5) == 1) free((void *)c); }",
    "for (int n = 0; n < 2; n++) $cn[n]++;",
    "__VERIFIER_atomic_begin(); $cn[0]++; $cn[1]--; __VERIFIER_atomic_end();",
    "__VERIFIER_assume($cn[N] != N);",
    "assert($cn[N] != 2);",
    "assert($cn[0] <= $cn[1] + 1);",
    "printf(\"%d\", $cn[N]);",
];

/// Loops that wait, and some that only look as if they did.
pub(super) const LOOPS: &[Template] = templates![
    "while (!$a) i++;",
    "while (!$a) { j = $b; }",
    "while (!$a) { int seen = $b; (void)seen; }",
    "do { i = $a; j = $b; } while (i != j);",
    "for (int n = 0; n < 2 && !$a; n++) ;",
    "for (i = 0; i < 3; i++) if ($a == i) break;",
    "while ($a != N) if ($b == N) break;",
    "for (;;) { i = $b; if (i == N) break; if ($a == N) { j = 1; break; } }",
    "k = 0; while (!__c11_atomic_compare_exchange_weak(&$a, &k, V, 5, 5)) k = 0;",
    "k = $a; while (!__c11_atomic_compare_exchange_weak(&$a, &k, k + 1, 5, 5)) ;",
    "do k = $b; while (!__c11_atomic_compare_exchange_strong(&$b, &k, N, 5, 5));",
    "while (pthread_mutex_trylock(&$n)) ;".."pthread_mutex_unlock(&$n);",
    "while (pthread_mutex_trylock(&$n)) i++;".."pthread_mutex_unlock(&$n);",
    "while (pthread_mutex_trylock(&$n)) if ($a) break;",
    "while (pthread_spin_trylock(&$spin)) ;".."pthread_spin_unlock(&$spin);",
    "while (sem_trywait(&$sem)) ;",
    "while (sem_trywait(&$sem)) if (++i == N) break;",
    "while (pthread_rwlock_tryrdlock(&$rw)) ;".."pthread_rwlock_unlock(&$rw);",
    "for (;;) { pthread_mutex_lock(&$m); int f = $flag; pthread_mutex_unlock(&$m); if (f) break; }",
    "for (;;) { pthread_mutex_lock(&$m); i = $guarded; pthread_mutex_unlock(&$m); if (i == N || $a) break; }",
    "while (__c11_atomic_exchange(&$b, 1, 5)) ;".."$b = 0;",
    "while (__c11_atomic_exchange(&$b, 2, 5) == 2) ;".."$b = N;",
    "while ($b || __c11_atomic_exchange(&$b, 1, 5)) ;".."$b = 0;",
    "while ($ac) while ($b) ;",
    "k = 3; while (!$a && --k) ;",
    "while (!$a) { if (++j == 2) break; }",
    "while (!$a) { pthread_mutex_lock(&$n); pthread_mutex_unlock(&$n); }",
    "while (!$a) { i = j; j = $b; }",
    "while ($get((int *)&$a) != N) ;",
    "do { i = $ac; if (i == 1) { $b = 1; break; } } while (i != N);",
    "while ($ap == 0) ;",
    "while ($ap == &k) ;",
    "{ int *p; while (!(p = $ap)) ; i = *p; }",
    "for (i = $a; i != $a; i = $a) ;",
];

/// Functions of the library.
pub(super) const LIBRARY: &[Template] = templates![
    "pthread_once(&$once, $begin);",
    "pthread_once(&$once, $begin); i = $x;",
    "pthread_setspecific($key, &$x);",
    "pthread_setspecific($key, (void *)1);",
    "i = pthread_getspecific($key) == 0;",
    "atexit($end);",
    "strcpy($text, \"ab\");",
    "strcat(strcpy($text, \"a\"), \"b\");",
    "i = strlen($text);",
    "i = strcmp($text, text);",
    "strncpy(text, $text, 4); j = text[0];",
    "memset($text, 0, N);",
    "memmove($text, $text + 1, 3);",
    "{ int v[3] = {i, 2, 1}; qsort(v, 3, sizeof *v, $order); j = v[0]; }",
    "qsort($cn, 3, sizeof *$cn, $order);",
    "pthread_mutex_lock(&$m); while ($flag < N) pthread_cond_wait(&$cv2, &$m);".."pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); while (!$flag) pthread_cond_wait(&$cv, &$m); $flag = 0;".."pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); $flag++; pthread_cond_signal(&$cv2);".."pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); $flag++; pthread_mutex_unlock(&$m); pthread_cond_broadcast(&$cv2);",
    "pthread_mutex_lock(&$m); pthread_cond_broadcast(&$cv); pthread_cond_signal(&$cv2); pthread_mutex_unlock(&$m);",
    "{ struct timespec at = {1, 0}; pthread_mutex_lock(&$m); i = $flag ? 0 : pthread_cond_timedwait(&$cv, &$m, &at); pthread_mutex_unlock(&$m); }",
    "{ struct timespec at = {1, 0}; i = pthread_mutex_timedlock(&$n, &at); if (!i) pthread_mutex_unlock(&$n); }",
    "{ struct timespec at = {1, 0}; i = sem_timedwait(&$sem, &at); }",
    "{ struct timespec at = {1, 0}; if (!pthread_rwlock_timedwrlock(&$rw, &at)) {".."pthread_rwlock_unlock(&$rw); } }",
    "pthread_mutex_destroy(&$n);",
    "pthread_mutex_init(&$n, 0);",
    "pthread_cond_destroy(&$cv2);",
    "pthread_barrier_destroy(&$bar);",
    "pthread_setcancelstate(N & 1, &i);",
    "sem_destroy(&$sem);",
    "i = rand();",
    "usleep(10);",
];
