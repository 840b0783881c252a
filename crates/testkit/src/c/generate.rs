//! The random C program of a seed.
//!
//! First it is planned which threads there are, who creates each of them and who waits for its end;
//! then the functions get other statements in between. Programs are small: brute force runs all
//! their executions.

use crate::random::Random;

use super::menu::{self, Template};
use super::profile::{CProfile, Weights};
use super::program::{CFunction, CProgram, CStatement};

/// The program of this profile and seed.
pub fn generate_c(profile: CProfile, seed: u64) -> CProgram {
    let mut random = Random::new(seed ^ 0x0c0c_0c0c_0000_0000);
    let threads = random.weighted(&[(3, 1), (6, 2), (2, 3)]);
    // Where others wait and share, plain variables that nobody guards would mostly be data races.
    let tame = random.chance(50);
    let mut maker = Maker { random, weights: profile.weights(), threads, tame };
    let mut bodies: Vec<Vec<CStatement>> = Vec::new();
    for _ in 0..=threads {
        let most = [4, 4, 3, 2][threads];
        let count = maker.random.between(1, most);
        bodies.push((0..count).map(|_| maker.statement(0)).collect());
    }
    for thread in 1..=threads {
        maker.plan_thread(&mut bodies, thread);
    }
    maker.finish(&mut bodies);
    let name = |number: usize| if number == 0 { "main".to_owned() } else { format!("f{number}") };
    let functions = bodies.into_iter().enumerate().map(|(number, body)| CFunction { name: name(number), body });
    CProgram { functions: functions.collect() }
}

struct Maker {
    random: Random,
    weights: Weights,
    /// How many there are besides the first.
    threads: usize,
    /// Plain variables are guarded, mostly.
    tame: bool,
}

impl Maker {
    /// Who creates a thread, and who waits for its end: statements are put at random places of
    /// those who do.
    fn plan_thread(&mut self, bodies: &mut [Vec<CStatement>], thread: usize) {
        let creator = if self.random.chance(65) { 0 } else { self.random.below(thread) };
        // Before the threads are there, and after they have ended, main is alone.
        let at = self.random.below(bodies[creator].len() + 1);
        let argument = *self.random.pick(&["0", "0", "0", "&k", "&$x", "(void *)$ap", "(void *)&$tl"]);
        let local = self.random.chance(35);
        let handle = if local { format!("own{thread}") } else { format!("$h[{thread}]") };
        let create = format!("pthread_create(&{handle}, 0, $f{thread}, {argument});");
        let tell = if !local && self.random.chance(40) { format!(" $up[{thread}] = 1;") } else { String::new() };
        let create = CStatement::new(create + &tell);
        if self.random.chance(15) {
            let guard = *self.random.pick(&[menu::GUARDS[0], menu::LOCKS[0], menu::LOCKS[2], menu::LOCKS[7]]);
            let mut inner = vec![create];
            if self.random.chance(50) {
                inner.push(self.statement(1));
            }
            let statement = self.fill(guard, inner);
            bodies[creator].insert(at, statement);
        } else {
            bodies[creator].insert(at, create);
        }
        self.plan_join(bodies, thread, creator, at + 1, &handle, local);
    }

    fn plan_join(
        &mut self,
        bodies: &mut [Vec<CStatement>],
        thread: usize,
        creator: usize,
        from: usize,
        handle: &str,
        local: bool,
    ) {
        let join = match self.random.below(10) {
            0 | 1 => format!("{{ void *end; pthread_join({handle}, &end); i = (long)end; }}"),
            _ => format!("pthread_join({handle}, 0);"),
        };
        match self.random.below(100) {
            0..60 => {
                let at = self.random.between(from, bodies[creator].len());
                bodies[creator].insert(at, CStatement::new(join));
            }
            60..75 if !local => {
                // Somebody else; who creates it has to have done so.
                let other = self.random.below(self.threads + 1);
                let at = self.random.below(bodies[other].len() + 1);
                let condition = if self.random.chance(70) { format!("if ($h[{thread}]) ") } else { String::new() };
                if other != thread {
                    bodies[other].insert(at, CStatement::new(format!("{condition}{join}")));
                }
            }
            75..83 => {
                let at = self.random.between(from, bodies[creator].len());
                bodies[creator].insert(at, CStatement::new(format!("pthread_detach({handle});")));
            }
            83..88 => bodies[thread].insert(0, CStatement::new("pthread_detach(pthread_self());")),
            _ => {}
        }
    }

    /// What main begins and ends with.
    fn finish(&mut self, bodies: &mut [Vec<CStatement>]) {
        for (name, setup) in [
            ("$spin", "pthread_spin_init(&$spin, 0);".to_owned()),
            ("$sem", format!("sem_init(&$sem, 0, {});", self.random.below(2))),
            ("$key", "pthread_key_create(&$key, $bye);".to_owned()),
            ("$bar", format!("pthread_barrier_init(&$bar, 0, {});", self.random.between(1, 2))),
        ] {
            if bodies.iter().flatten().any(|statement| statement.mentions(name)) {
                bodies[0].insert(0, CStatement::new(setup));
            }
        }
        if self.random.chance(40) {
            let check = self.pick(menu::ASSERTS);
            let check = self.fill(check, Vec::new());
            bodies[0].push(check);
        }
        if self.random.chance(15) {
            bodies[0].push(CStatement::new("pthread_exit(0);"));
        }
        for body in &mut bodies[1..] {
            if self.random.chance(15) {
                body.push(CStatement::new("return (void *)(long)i;"));
            }
        }
    }

    fn statement(&mut self, depth: usize) -> CStatement {
        let weights = self.weights;
        let inner = |weight: usize| if depth < 2 { weight } else { 0 };
        let list: &'static [Template] = self.random.weighted(&[
            (if self.tame { weights.plain / 5 } else { weights.plain }, menu::PLAIN),
            (weights.atomic, menu::ATOMIC),
            (if self.tame { weights.widths / 3 } else { weights.widths }, menu::WIDTHS),
            (inner(weights.guarded), menu::GUARDS),
            (inner(weights.locks), menu::LOCKS),
            (weights.waits, menu::WAITS),
            (weights.pointers, menu::POINTERS),
            (weights.numbers, menu::NUMBERS),
            (weights.text, menu::TEXT),
            (weights.threads, menu::THREADS),
            (weights.endings, menu::ENDINGS),
            (inner(weights.sections), menu::SECTIONS),
            (inner(weights.branch), menu::BRANCHES),
            (weights.assert, menu::ASSERTS),
            (weights.objects, menu::OBJECTS),
            (weights.counters, menu::COUNTERS),
            (inner(weights.loops), menu::LOOPS),
            (inner(weights.library), menu::LIBRARY),
        ]);
        let template = self.pick(list);
        let mut statements = Vec::new();
        if !template.after.is_empty() {
            let guarded = std::ptr::eq(list, menu::GUARDS);
            for _ in 0..self.random.between(1, 2) {
                if guarded && self.random.chance(75) {
                    let template = self.pick(menu::GUARDED);
                    statements.push(self.fill(template, Vec::new()));
                } else {
                    statements.push(self.statement(depth + 1));
                }
            }
        }
        self.fill(template, statements)
    }

    fn pick(&mut self, list: &[Template]) -> Template {
        *self.random.pick(list)
    }

    /// A statement from a template, with numbers and locals in it.
    fn fill(&mut self, template: Template, inner: Vec<CStatement>) -> CStatement {
        let mut number = |text: &str| {
            let mut filled = String::new();
            let mut before = ' ';
            let mut letters = text.chars().peekable();
            while let Some(letter) = letters.next() {
                let word = |letter: char| letter.is_alphanumeric() || letter == '_';
                let alone = !word(before) && !letters.peek().copied().is_some_and(word);
                match letter {
                    'N' if alone => filled += &self.random.between(0, 2).to_string(),
                    'T' if alone => filled += &self.random.between(1, self.threads).to_string(),
                    'R' if alone => filled += &self.random.between(1, 60).to_string(),
                    'V' if alone => filled += *self.random.pick(&["0", "1", "2", "1", "2", "i", "j", "i + 1"]),
                    _ => filled.push(letter),
                }
                before = letter;
            }
            filled
        };
        let (before, after) = (number(template.before), number(template.after));
        CStatement::around(before, inner, after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_programs() {
        for seed in 0..50 {
            let profile = CProfile::of_seed(seed);
            assert_eq!(generate_c(profile, seed), generate_c(profile, seed));
        }
        assert_ne!(generate_c(CProfile::Mixed, 1), generate_c(CProfile::Mixed, 2));
    }

    #[test]
    fn templates_are_filled() {
        for seed in 0..500 {
            let text = generate_c(CProfile::of_seed(seed), seed).to_string();
            let placeholder = |word: &str| ["N", "T", "R", "V"].contains(&word);
            let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            assert!(!words.any(placeholder), "{text}");
        }
    }
}
