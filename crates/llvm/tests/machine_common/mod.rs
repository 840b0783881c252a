//! C programs for tests of the machine, and random walks through them.

#![allow(dead_code)]

use std::sync::Arc;

use mazurka_clang::{Clang, Language, Options};
use mazurka_llvm::{CMachine, Image, Settings, bitcode, compile};
use mazurka_machine::Machine;
use mazurka_trace::{Ending, Event, ProcessId};

/// What the machine can do, in a few programs.
pub(crate) const PROGRAMS: [(&str, &str); 10] = [
    (
        "memory",
        r#"
        #include <pthread.h>
        #include <stdlib.h>
        #include <string.h>
        struct pair { int a; char b; long c; };
        static struct pair shared, *list[3];
        static int count;
        static void *worker(void *argument) {
            struct pair *mine = malloc(sizeof *mine), copy;
            mine->a = (int)(long)argument;
            mine->c = 7;
            copy = *mine;                       // one byte is undefined
            shared = copy;
            list[mine->a] = mine;
            struct pair local = {1, 2, (long)&copy};
            memcpy(&shared, &local, sizeof local);
            if (list[1 - mine->a]) { list[1 - mine->a]->a += 5; count++; }
            char *text = calloc(10, 1);
            strcpy(text, "abc");
            text = realloc(text, 20);
            shared.b = text[2];
            free(text);
            return mine;
        }
        int main(void) {
            pthread_t threads[2];
            void *result;
            for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, (void *)i);
            for (int i = 0; i < 2; i++) { pthread_join(threads[i], &result); free(result); }
            return shared.a + count;
        }"#,
    ),
    (
        "locks",
        r#"
        #include <pthread.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n;
        static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static int items, x;
        static void *producer(void *unused) {
            for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&m);
                items++;
                pthread_cond_signal(&c);
                pthread_mutex_unlock(&m);
            }
            return 0;
        }
        static void *consumer(void *unused) {
            pthread_mutex_lock(&m);
            while (items == 0) pthread_cond_wait(&c, &m);
            items--;
            pthread_mutex_unlock(&m);
            if (pthread_mutex_trylock(&n) == 0) { x++; pthread_mutex_unlock(&n); }
            return 0;
        }
        int main(void) {
            pthread_t p, q, r;
            pthread_mutex_init(&n, 0);
            pthread_create(&q, 0, consumer, 0);
            pthread_create(&r, 0, consumer, 0);
            pthread_create(&p, 0, producer, 0);
            pthread_join(p, 0); pthread_join(q, 0); pthread_join(r, 0);
            return x;
        }"#,
    ),
    (
        "waiting",
        r#"
        #include <pthread.h>
        #include <sched.h>
        #include <stdatomic.h>
        static atomic_int flag, a, b, lock;
        static int x;
        static void *one(void *unused) {
            a = 1;
            while (!flag) ;
            while (a + b < 3) sched_yield();
            while (atomic_exchange(&lock, 1)) ;
            x++;
            lock = 0;
            return 0;
        }
        static void *two(void *unused) {
            b = 1;
            flag = 1;
            int expected = 0;
            while (!atomic_compare_exchange_weak(&lock, &expected, 1)) expected = 0;
            x++;
            lock = 0;
            b = 2;
            return 0;
        }
        int main(void) {
            pthread_t p, q;
            pthread_create(&p, 0, one, 0);
            pthread_create(&q, 0, two, 0);
            pthread_join(p, 0); pthread_join(q, 0);
            return x;
        }"#,
    ),
    (
        "choices",
        r#"
        #include <pthread.h>
        #include <stdio.h>
        _Bool __VERIFIER_nondet_bool(void);
        void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
        static int x, y;
        static void *worker(void *argument) {
            int mine = __VERIFIER_nondet_bool() ? 3 : 4;
            __VERIFIER_atomic_begin();
            x += mine;
            if (x > 4) y = __VERIFIER_nondet_bool();
            __VERIFIER_atomic_end();
            printf("%d %d\n", mine, (int)(long)argument);
            __VERIFIER_assume(y == 0 || mine == 3);
            return 0;
        }
        int main(void) {
            pthread_t p, q;
            pthread_create(&p, 0, worker, (void *)1);
            pthread_create(&q, 0, worker, (void *)2);
            pthread_join(p, 0); pthread_join(q, 0);
            printf("x = %d\n", x);
            return 0;
        }"#,
    ),
    (
        "stack",
        r#"
        #include <pthread.h>
        #include <stdlib.h>
        static int *where;
        static _Thread_local int own = 5;
        static int depth(int n, int *outer) {
            int here = n;
            if (outer) here += *outer;
            where = &here;
            own++;
            if (n > 0) return depth(n - 1, &here) + here;
            return own;
        }
        static void *worker(void *argument) {
            int n = *(int *)argument, array[n + 1];
            for (int i = 0; i <= n; i++) array[i] = i;
            where = &own;
            return (void *)(long)(depth(2, &array[n]) + own);
        }
        int main(void) {
            int one = 1, two = 2;
            pthread_t p, q;
            void *result;
            pthread_create(&p, 0, worker, &one);
            pthread_create(&q, 0, worker, &two);
            *where = 3;
            pthread_join(p, &result); pthread_join(q, 0);
            return (int)(long)result;
        }"#,
    ),
    (
        "spawning",
        r#"
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        static atomic_int x;
        static void *leaf(void *argument) { x += (int)(long)argument; return malloc(4); }
        static void *branch(void *argument) {
            pthread_t t;
            pthread_create(&t, 0, leaf, argument);
            x++;
            if (x > 2) { pthread_detach(t); return 0; }
            void *result;
            pthread_join(t, &result);
            free(result);
            return 0;
        }
        static void bye(void) { x = 100; }
        int main(void) {
            atexit(bye);
            pthread_t p, q;
            pthread_create(&p, 0, branch, (void *)1);
            pthread_create(&q, 0, branch, (void *)2);
            pthread_join(p, 0);
            if (x == 3) exit(0);
            pthread_join(q, 0);
            return 0;
        }"#,
    ),
    (
        "failing",
        r#"
        #include <assert.h>
        #include <pthread.h>
        #include <stdlib.h>
        static int *p, zero, table[4];
        static void *worker(void *argument) {
            int i = *p;
            free(p);
            p = 0;
            table[i] = 10 / (zero + i);
            assert(table[1] == 0);
            int local;
            if (i == 2) zero = local;           // undefined
            if (zero == 9) table[0]++;
            return 0;
        }
        int main(void) {
            p = malloc(sizeof(int));
            *p = 2;
            pthread_t t, u;
            pthread_create(&t, 0, worker, 0);
            pthread_create(&u, 0, worker, 0);
            zero = -2;
            pthread_join(t, 0); pthread_join(u, 0);
            return 0;
        }"#,
    ),
    (
        "others",
        r#"
        #include <pthread.h>
        #include <semaphore.h>
        #include <stdatomic.h>
        static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
        static pthread_barrier_t barrier;
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        static sem_t sem;
        static int x, y;
        static void init(void) { y = 3; }
        static void *reader(void *unused) {
            pthread_once(&once, init);
            pthread_rwlock_rdlock(&lock);
            int seen = x;
            pthread_rwlock_unlock(&lock);
            sem_wait(&sem);
            pthread_barrier_wait(&barrier);
            return (void *)(long)seen;
        }
        int main(void) {
            pthread_t p, q;
            sem_init(&sem, 0, 1);
            pthread_barrier_init(&barrier, 0, 3);
            pthread_create(&p, 0, reader, 0);
            pthread_create(&q, 0, reader, 0);
            pthread_rwlock_wrlock(&lock);
            x = y;
            pthread_rwlock_unlock(&lock);
            sem_post(&sem);
            pthread_barrier_wait(&barrier);
            pthread_join(p, 0); pthread_join(q, 0);
            return x;
        }"#,
    ),
    (
        "pointers",
        r#"
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdint.h>
        #include <stdlib.h>
        struct node { struct node *next; int value; };
        static _Atomic(struct node *) top;
        static uint64_t packed;
        static unsigned bits;
        static void push(int value) {
            struct node *node = malloc(sizeof *node);
            node->value = value;
            node->next = atomic_load(&top);
            while (!atomic_compare_exchange_strong(&top, &node->next, node)) ;
        }
        static void *worker(void *argument) {
            struct { unsigned low : 3, high : 5; } fields;
            fields.low = 2;
            fields.high = (unsigned)(long)argument;
            bits += fields.low + fields.high;
            push(fields.high);
            struct node *first = top;
            packed = (uint64_t)(uintptr_t)first | 1;
            return first;
        }
        int main(void) {
            pthread_t p, q;
            pthread_create(&p, 0, worker, (void *)1);
            pthread_create(&q, 0, worker, (void *)2);
            struct node *seen = (struct node *)(uintptr_t)(packed & ~(uint64_t)1);
            int value = seen ? seen->value : 0;
            pthread_join(p, 0); pthread_join(q, 0);
            return value;
        }"#,
    ),
    (
        "blocking",
        r#"
        #include <pthread.h>
        void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static int x;
        static void *worker(void *unused) {
            __VERIFIER_atomic_begin();
            x++;
            pthread_mutex_lock(&m);
            x *= 2;
            __VERIFIER_atomic_end();
            pthread_mutex_unlock(&m);
            return 0;
        }
        int main(void) {
            pthread_t p, q;
            pthread_create(&p, 0, worker, 0);
            pthread_create(&q, 0, worker, 0);
            pthread_mutex_lock(&m);
            x = 10;
            pthread_mutex_unlock(&m);
            pthread_join(p, 0); pthread_join(q, 0);
            return x;
        }"#,
    ),
];

/// The programs, compiled; none where there is no clang, unless there must be.
pub(crate) fn images() -> Vec<(&'static str, Arc<Image>)> {
    let Some(clang) = clang() else { return Vec::new() };
    PROGRAMS.iter().map(|&(name, source)| (name, Arc::new(image(&clang, name, source, &Settings::default())))).collect()
}

/// Clang; none, with a message, where there is none and none is requested.
pub(crate) fn clang() -> Option<Clang> {
    match Clang::find(None) {
        Ok(clang) => Some(clang),
        Err(error) => {
            let needed = std::env::var_os("MAZURKA_NEED_CLANG").is_some_and(|value| value == "1");
            assert!(!needed, "{error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// A program, compiled.
pub(crate) fn image(clang: &Clang, name: &str, source: &str, settings: &Settings) -> Image {
    let unique = std::thread::current().id();
    let file = std::env::temp_dir().join(format!("mazurka-machine-{}-{unique:?}-{name}.c", std::process::id()));
    std::fs::write(&file, source).expect("a temporary file can be written");
    let compiled = clang.compile(&file, Language::C, &Options::default());
    std::fs::remove_file(&file).expect("a temporary file can be removed");
    let module = bitcode::decode(&compiled.expect("the program compiles").bitcode).expect("clang writes bitcode");
    compile(vec![module], settings, &|_| None).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// A small generator of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

pub(crate) fn halts(event: &Event) -> bool {
    matches!(event.ending, Ending::Halts | Ending::OutOfFuel)
}

pub(crate) fn candidates(machine: &mut impl Machine) -> Vec<ProcessId> {
    if let Some(at_local) = machine.at_local() {
        return vec![at_local];
    }
    let live: Vec<ProcessId> = machine.live().iter().collect();
    live.into_iter().filter(|&process| machine.is_enabled(process)).collect()
}

/// One step of a walk: who, or the conclusion; with its random choices.
pub(crate) fn random_step(machine: &mut impl Machine, random: &mut Random, event: &mut Event) -> bool {
    let candidates = candidates(machine);
    if candidates.is_empty() {
        return machine.live().is_empty() && machine.conclude(event);
    }
    let process = candidates[random.below(candidates.len())];
    let choices: Vec<i64> = (0..3).map(|_| random.below(2) as i64).collect();
    machine.step(process, &choices, event);
    true
}

pub(crate) fn machine(image: &Arc<Image>) -> CMachine {
    CMachine::new(image.clone())
}
