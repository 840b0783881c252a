//! Random C programs in which threads take locks inside of each other, for the analysis of lock
//! order: locks in globals, arrays, structures, the heap and behind pointers; taken by wrappers,
//! through pointers to functions, recursively, tried, shared; joins and waits with locks held.

use crate::random::Random;

use super::program::{CFunction, CProgram, CStatement};

/// The program of a seed.
pub fn generate_nested(seed: u64) -> CProgram {
    let mut random = Random::new(seed ^ 0x10c5_0000_0000_0000);
    let threads = random.between(1, 2);
    let style = Style { gate: random.chance(35), wild: random.chance(50), few: random.chance(60) };
    let mut maker = Maker { random, style };
    let mut functions = vec![maker.main(threads)];
    for number in 1..=threads {
        let body = maker.body();
        functions.push(CFunction { name: format!("f{number}"), body });
    }
    CProgram { functions }
}

/// What a program is like.
#[derive(Clone, Copy)]
struct Style {
    /// Most threads hold one more lock all the time.
    gate: bool,
    /// Locks are reached in all kinds of ways.
    wild: bool,
    /// There are only two of them.
    few: bool,
}

struct Maker {
    random: Random,
    style: Style,
}

impl Maker {
    /// The address of a mutex.
    fn mutex(&mut self) -> String {
        let plain: &[&str] = &["&$ms[0]", "&$ms[1]", "&$n"];
        let wild: &[&str] = &[
            "&$ms[i]",
            "&$box[0].m",
            "&$box[1].m",
            "&$box[j].m",
            "&$boxes[0]->m",
            "&$boxes[1]->m",
            "$mp",
            "&$r",
            "(arg ? (pthread_mutex_t *)arg : &$ms[0])",
            "$pick(&$ms[0], &$ms[1], i)",
            "&$boxes[j & 1]->m",
        ];
        let few = &plain[..2];
        let choice = if self.style.wild && self.random.chance(60) {
            *self.random.pick(wild)
        } else if self.style.few {
            *self.random.pick(few)
        } else {
            *self.random.pick(plain)
        };
        choice.to_owned()
    }

    /// A lock around statements.
    fn around(&mut self, inner: Vec<CStatement>) -> CStatement {
        let mutex = self.mutex();
        let kind = self.random.below(if self.style.wild { 16 } else { 8 });
        let (before, after) = match kind {
            0 => (format!("if (pthread_mutex_trylock({mutex}) == 0) {{"), format!("pthread_mutex_unlock({mutex}); }}")),
            8 => ("pthread_rwlock_rdlock(&$rw);".to_owned(), "pthread_rwlock_unlock(&$rw);".to_owned()),
            9 => ("pthread_rwlock_wrlock(&$rw);".to_owned(), "pthread_rwlock_unlock(&$rw);".to_owned()),
            10 => (format!("$take({mutex});"), format!("$give({mutex});")),
            11 => (format!("$how({mutex});"), format!("$give({mutex});")),
            12 => (format!("if ($try({mutex})) {{"), format!("$give({mutex}); }}")),
            13 => (format!("$deep({mutex}, 1);"), format!("pthread_mutex_unlock({mutex});")),
            14 => (format!("if (pthread_mutex_lock({mutex})) return 0;"), format!("pthread_mutex_unlock({mutex});")),
            15 => ("pthread_spin_lock(&$spin);".to_owned(), "pthread_spin_unlock(&$spin);".to_owned()),
            _ => (format!("pthread_mutex_lock({mutex});"), format!("pthread_mutex_unlock({mutex});")),
        };
        // Sometimes it is not given back, or given back too soon.
        let forgets = self.random.chance(3) && !after.ends_with('}');
        let after = if forgets { ";".to_owned() } else { after };
        CStatement::around(before, inner, after)
    }

    fn statement(&mut self, depth: usize) -> CStatement {
        match self.random.below(10) {
            0..6 if depth < 3 => {
                let count = if depth == 0 { self.random.between(1, 2) } else { 1 };
                let inner = (0..count).map(|_| self.statement(depth + 1)).collect();
                self.around(inner)
            }
            6 if depth < 3 => {
                let inner = vec![self.statement(depth + 1)];
                CStatement::around("if ($a == 0) {", inner, "}")
            }
            7 if self.style.wild => {
                let (one, other) = *self.random.pick(&[(0, 1), (1, 0), (0, 0)]);
                CStatement::new(format!("$swap(&$box[{one}], &$box[{other}]);"))
            }
            8 if self.style.wild => CStatement::new(*self.random.pick(&[
                "i = 1;", "j = 1;", "$mp = &$n;", "$mp = &$ms[1];", "$how = $take;", "i = $a & 1;", "$pair_up();",
                "pthread_exit(0);", "{ struct $lockbox *copy[2]; memcpy(copy, $boxes, sizeof copy); $take(&copy[j & 1]->m); $give(&copy[j & 1]->m); }",
            ])),
            _ => CStatement::new(*self.random.pick(&["$a = 1;", "$a++;", "i = $a & 1;", "j = 0;"])),
        }
    }

    fn body(&mut self) -> Vec<CStatement> {
        let count = self.random.between(1, 2);
        let body = (0..count).map(|_| self.statement(0)).collect();
        if self.style.gate && self.random.chance(85) {
            vec![CStatement::around("pthread_mutex_lock(&$m);", body, "pthread_mutex_unlock(&$m);")]
        } else {
            body
        }
    }

    fn main(&mut self, threads: usize) -> CFunction {
        let mut body = vec![
            CStatement::new("pthread_spin_init(&$spin, 0); $mp = &$ms[0]; $how = $take;"),
            CStatement::new("$boxes[0] = $new(); $boxes[1] = $new();"),
        ];
        for thread in 1..=threads {
            let argument = *self.random.pick(&["0", "0", "&$ms[1]", "&$box[0].m"]);
            let twice = self.random.chance(15);
            let create = format!("pthread_create(&$h[{thread}], 0, $f{thread}, {argument});");
            if twice {
                body.push(CStatement::new(format!("for (int n = 0; n < 2; n++) {{ {create} }}")));
            } else {
                body.push(CStatement::new(create));
            }
            if self.random.chance(15) {
                body.push(CStatement::new(format!("pthread_join($h[{thread}], 0);")));
            }
        }
        body.extend(self.body());
        if self.random.chance(20) {
            let thread = self.random.between(1, threads);
            let join = CStatement::new(format!("pthread_join($h[{thread}], 0);"));
            let held = self.around(vec![join]);
            body.push(held);
            body.extend(self.body());
        }
        CFunction { name: "main".to_owned(), body }
    }
}
