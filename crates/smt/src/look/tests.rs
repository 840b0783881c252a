//! Looks against brute force.

use super::{Look, holds, look};
use crate::term::{Arena, Assignment, Sort, Term, Value};

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn small(&mut self) -> i128 {
        i128::from(self.below(7)) - 3
    }
}

fn sum(arena: &mut Arena, random: &mut Random, numbers: &[Term], depth: u64) -> Term {
    if depth == 0 || random.below(3) == 0 {
        let constant = random.small();
        return if random.below(3) == 0 { arena.int(constant) } else { numbers[random.below(3) as usize] };
    }
    let one = sum(arena, random, numbers, depth - 1);
    let other = sum(arena, random, numbers, depth - 1);
    match random.below(9) {
        0..=2 => arena.add(&[one, other]),
        3 | 4 => arena.subtract(one, other),
        5 => {
            let factor = arena.int(random.small());
            arena.multiply(factor, one)
        }
        6 => {
            let by = arena.int([1, 2, 3, -2][random.below(4) as usize]);
            arena.divide_to_zero(one, by)
        }
        7 => {
            let condition = arena.less(one, other);
            arena.ite(condition, other, one)
        }
        _ => arena.multiply(one, other),
    }
}

fn condition(arena: &mut Arena, random: &mut Random, numbers: &[Term], truths: &[Term], depth: u64) -> Term {
    if depth > 0 && random.below(2) == 0 {
        let one = condition(arena, random, numbers, truths, depth - 1);
        let other = condition(arena, random, numbers, truths, depth - 1);
        return match random.below(4) {
            0 => arena.and(&[one, other]),
            1 => arena.or(&[one, other]),
            2 => arena.equal(one, other),
            _ => arena.not(one),
        };
    }
    let one = sum(arena, random, numbers, 2);
    let other = sum(arena, random, numbers, 2);
    match random.below(6) {
        0 => truths[random.below(2) as usize],
        1 => arena.equal(one, other),
        2 => arena.different(one, other),
        3 => arena.less(one, other),
        _ => arena.less_equal(one, other),
    }
}

/// Whether some values of a small range make all conditions hold.
fn by_force(arena: &Arena, conditions: &[Term], numbers: &[Term], truths: &[Term]) -> bool {
    let (width, low) = (9, -4);
    (0..width * width * width * 4).any(|mut number: i128| {
        let mut values = Assignment::new();
        for &one in numbers {
            values.set(one, Value::Int(number % width + low));
            number /= width;
        }
        for &one in truths {
            values.set(one, Value::Bool(number % 2 == 1));
            number /= 2;
        }
        holds(arena, conditions, &values)
    })
}

#[test]
fn random_conjunctions_against_brute_force() {
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for seed in 0..400 {
        let (mut arena, mut random) = (Arena::new(), Random(seed));
        let numbers: Vec<Term> = ["x", "y", "z"].map(|name| arena.variable(name, Sort::Int)).to_vec();
        let truths: Vec<Term> = ["a", "b"].map(|name| arena.variable(name, Sort::Bool)).to_vec();
        let count = 1 + random.below(6);
        let conditions: Vec<Term> =
            (0..count).map(|_| condition(&mut arena, &mut random, &numbers, &truths, 2)).collect();
        match look(&arena, &conditions) {
            Look::Sat(values) => {
                assert!(holds(&arena, &conditions, &values), "seed {seed}");
                sat += 1;
            }
            Look::Unsat => {
                assert!(!by_force(&arena, &conditions, &numbers, &truths), "seed {seed}");
                unsat += 1;
            }
            Look::Unknown => unknown += 1,
        }
    }
    assert!(sat > 200 && unsat > 40 && unknown < 40, "{sat} sat, {unsat} unsat, {unknown} unknown");
}

#[test]
fn values_next_to_zero() {
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int));
    let five = arena.int(5);
    let (above, not_six) = (arena.less(five, x), arena.add(&[five, y]));
    let different = arena.different(x, not_six);
    let Look::Sat(values) = look(&arena, &[above, different]) else { panic!("it can hold") };
    let value = |term| values.get(term).and_then(Value::as_int);
    assert_eq!((value(x), value(y)), (Some(6), Some(0)));
}

#[test]
fn what_is_too_much_is_unknown() {
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int));
    let product = arena.multiply(x, y);
    let goal = arena.int(1_000_003);
    let (equal, one) = (arena.equal(product, goal), arena.int(1));
    let (above, higher) = (arena.less(one, x), arena.less(one, y));
    assert!(matches!(look(&arena, &[equal, above, higher]), Look::Unknown));
}
