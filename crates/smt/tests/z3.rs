//! The real solver: what it is told, and what it answers. Z3 is needed unless `MAZURKA_NEED_Z3` is
//! 0.

use std::time::{Duration, Instant};

use mazurka_smt::solver::{Reason, Settings, Solver};
use mazurka_smt::term::{Arena, Assignment, Sort, Term, Value};
use mazurka_smt::{Answer, Error};

fn solver() -> Option<Solver> {
    match Solver::start(Settings::default()) {
        Ok(solver) => Some(solver),
        Err(Error::Missing { message }) => {
            assert!(std::env::var_os("MAZURKA_NEED_Z3").is_none_or(|need| need != "1"), "{message}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn levels_assumptions_and_values() {
    let Some(mut solver) = solver() else { return };
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("a name", Sort::Int));
    let (big, less) = (arena.int(i128::from(i64::MIN)), arena.less(x, y));
    let equal = arena.equal(y, big);
    solver.assert(&arena, equal);
    solver.push();
    solver.assert(&arena, less);
    assert_eq!(solver.check(), Ok(Answer::Sat));
    let sum = arena.add(&[x, y]);
    let values = solver.values(&arena, &[x, y, less, sum]).expect("it has values");
    let (x_value, y_value) = (values[0].as_int().unwrap(), values[1].as_int().unwrap());
    assert_eq!(y_value, i128::from(i64::MIN));
    assert_eq!(values[2], Value::Bool(true));
    assert_eq!(values[3], Value::Int(x_value + y_value));
    let more = arena.less(y, x);
    assert_eq!(solver.check_assuming(&arena, &[more]), Ok(Answer::Unsat));
    assert_eq!(solver.check(), Ok(Answer::Sat));
    solver.pop();
    assert_eq!(solver.check_assuming(&arena, &[more]), Ok(Answer::Sat));
    assert_eq!(solver.check_assuming(&arena, &[more, less]), Ok(Answer::Unsat));
    assert!(solver.statistics().is_ok());
    assert!(solver.size() > 0 && solver.time() > Duration::ZERO);
}

#[test]
fn a_time_limit_leaves_it_alive() {
    let Some(mut solver) = solver() else { return };
    solver.set_time_limit(Some(Duration::from_millis(100)));
    let mut arena = Arena::new();
    // x³ + y³ + z³ = 42
    let cube = |arena: &mut Arena, name: &str| {
        let x = arena.variable(name, Sort::Int);
        let square = arena.multiply(x, x);
        arena.multiply(square, x)
    };
    let cubes = ["x", "y", "z"].map(|name| cube(&mut arena, name));
    let (sum, number) = (arena.add(&cubes), arena.int(42));
    let equal = arena.equal(sum, number);
    solver.push();
    solver.assert(&arena, equal);
    let begin = Instant::now();
    match solver.check() {
        Ok(Answer::Unknown(Reason::TimeLimit)) => {}
        Ok(Answer::Unknown(Reason::Said(_))) => {}
        other => panic!("{other:?}"),
    }
    assert!(begin.elapsed() < Duration::from_secs(20));
    solver.pop();
    assert_eq!(solver.check(), Ok(Answer::Sat));
}

/// Terms at random: what evaluation says is what the solver says.
#[test]
fn evaluation_agrees_with_the_solver() {
    let Some(mut solver) = solver() else { return };
    let mut random = Random(7);
    for _ in 0..150 {
        let mut arena = Arena::new();
        let names = ["x", "y", "z"];
        let variables = names.map(|name| arena.variable(name, Sort::Int));
        let array = arena.variable("a", Sort::Array);
        let term = random_term(&mut arena, &variables, array, &mut random);
        let mut assignment = Assignment::new();
        solver.push();
        for &variable in &variables {
            let value = random.below(9) as i128 - 4;
            assignment.set(variable, Value::Int(value));
            let value = arena.int(value);
            let equal = arena.equal(variable, value);
            solver.assert(&arena, equal);
        }
        assignment.set(array, Value::Array(2, Default::default()));
        let two = arena.int(2);
        let everywhere = arena.constant_array(two);
        let equal = arena.equal(array, everywhere);
        solver.assert(&arena, equal);
        assert_eq!(solver.check(), Ok(Answer::Sat));
        let found = solver.values(&arena, &[term]).expect("it has a value").remove(0);
        if let Some(value) = arena.evaluate(term, &assignment) {
            assert_eq!(value, found, "{}", arena.infix(term, 10_000));
        }
        solver.pop();
    }
}

/// Integers and truth values built at random, the last of which is the answer.
fn random_term(arena: &mut Arena, variables: &[Term], array: Term, random: &mut Random) -> Term {
    let mut ints = variables.to_vec();
    let mut arrays = vec![array];
    let mut truths = vec![arena.yes()];
    for _ in 0..25 {
        let (a, b) = (ints[random.below(ints.len())], ints[random.below(ints.len())]);
        let (p, q) = (truths[random.below(truths.len())], truths[random.below(truths.len())]);
        let cells = arrays[random.below(arrays.len())];
        match random.below(16) {
            0 => ints.push(arena.add(&[a, b])),
            1 => ints.push(arena.subtract(a, b)),
            2 => {
                let factor = arena.int(random.below(5) as i128 - 2);
                ints.push(arena.multiply(a, factor));
            }
            3 => {
                let divisor = arena.int(random.below(3) as i128 + 1);
                ints.push(arena.divide_to_zero(a, divisor));
            }
            4 => {
                let divisor = arena.int(-2 - random.below(3) as i128);
                ints.push(arena.remainder_to_zero(a, divisor));
            }
            5 => ints.push(arena.ite(p, a, b)),
            6 => truths.push(arena.less(a, b)),
            7 => truths.push(arena.less_equal(a, b)),
            8 => truths.push(arena.equal(a, b)),
            9 => truths.push(arena.and(&[p, q])),
            10 => truths.push(arena.or(&[p, q])),
            11 => truths.push(arena.not(p)),
            12 => truths.push(arena.ite(p, q, p)),
            13 => arrays.push(arena.store(cells, a, b)),
            14 => ints.push(arena.select(cells, a)),
            _ => ints.push(arena.int(random.below(7) as i128 - 3)),
        }
    }
    if random.below(2) == 0 { *ints.last().expect("there are") } else { *truths.last().expect("there are") }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
