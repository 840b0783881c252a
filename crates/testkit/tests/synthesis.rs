//! Constraints found by a solver: the paper's, and random ones against the machine.

use std::collections::HashMap;

use mazurka_process::store::Nothing;
use mazurka_process::{Image, Verified, compile, synthesise, verify};
use mazurka_smt::{Settings, Solver};
use mazurka_testkit::{Algorithm, Checks, Tried, check_synthesised, fuzz_synthesised, try_pair};

fn solver() -> Solver {
    let time_limit = Some(std::time::Duration::from_secs(5));
    Solver::start(Settings { time_limit, ..Settings::default() }).expect("the tests need Z3: `apt install z3`")
}

/// The constraints of the steps of two bodies, sorted, and whether they are necessary.
fn constraints(source: &str, bodies: [&str; 2]) -> (Vec<String>, bool) {
    let program = compile("test.mzk", source, &[]).expect("it compiles");
    let image = Image::new(&program, "test.mzk", source);
    let (found, _) = synthesise(&image, &mut Nothing, || Ok(solver())).expect("the solver answers");
    let pair = found.into_iter().find(|pair| pair.bodies == bodies).expect("there is such a pair");
    let mut texts = pair.texts.expect("something was found out");
    texts.sort();
    (texts, pair.necessary)
}

const FIGURE_1: &str = "int z = -2, x = -2;
process p { x = x + 1; }
process q { atomic { if (z >= 0) { z = x; } } }
process r { atomic { x = x + 1; z = z + 1; } }";

#[test]
fn figure_1_has_the_constraints_of_the_paper() {
    let texts = |list: &[&str]| (list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), true);
    assert_eq!(constraints(FIGURE_1, ["q", "r"]), texts(&["z <= -2", "z == x", "z >= 0"]));
    assert_eq!(constraints(FIGURE_1, ["p", "r"]), texts(&["true"]));
    assert_eq!(constraints(FIGURE_1, ["p", "q"]), texts(&["z <= -1"]));
}

/// Section 4.2.
#[test]
fn fib_has_the_constraints_of_the_paper() {
    let source = "int nr = 1, r = 0;
        process main { spawn fib(3); }
        proc fib(int v) {
          atomic { if (v <= 1) { spawn res(v); } else { spawn fib(v - 1); spawn fib(v - 2); } }
        }
        proc res(int v) {
          atomic { if (nr > 0) { nr = 0; r = v; } else { spawn res(r + v); r = 0; nr = 1; } }
        }";
    let texts = |list: &[&str]| (list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), true);
    assert_eq!(constraints(source, ["res", "res"]), texts(&["nr >= 1", "v == v1"]));
    assert_eq!(constraints(source, ["fib", "fib"]), texts(&["true"]));
    assert_eq!(constraints(source, ["fib", "res"]), texts(&["true"]));
}

#[test]
fn declared_constraints_are_proven_or_refuted() {
    let check = |condition: &str| {
        let source = format!("{FIGURE_1}\nindependent q, r when {condition};");
        let program = compile("test.mzk", &source, &[]).expect("it compiles");
        let image = Image::new(&program, "test.mzk", &source);
        let mut found = verify(&program, &image, &mut solver()).expect("the solver answers");
        assert_eq!(found.len(), 1);
        found.remove(0).verified
    };
    assert_eq!(check("z >= 0 && x > 3"), Verified::Proven);
    assert_eq!(check("z < -1 || z == x"), Verified::Proven);
    let Verified::Refuted { state, results } = check("z >= -1") else { panic!("it is wrong") };
    assert!(state.contains(&("z".to_owned(), "-1".to_owned())), "{state:?}");
    assert!(results.iter().any(|(name, one, other)| name == "z" && one != other), "{results:?}");
}

/// A number from the environment, for longer runs.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What is found for random programs is right in every state that they reach: where a constraint holds, both orders lead to the same state, and where it is necessary
/// and does not hold, they do not. And exploration with it finds what brute force finds. `cargo xtask fuzz --synthesis` for as long as you like.
#[test]
fn random_programs_have_right_constraints() {
    let budget = mazurka_audit::Budget { executions: 1_000, steps: 50_000 };
    let checks = Checks { algorithms: Algorithm::CONSTRAINED.to_vec(), budget, ..Checks::default() };
    let mut known = HashMap::new();
    let first = number("SYNTHESIS_SEED", 0);
    for seed in first..first + number("SYNTHESIS_PROGRAMS", 60) {
        if let Err(failure) = fuzz_synthesised(seed, &checks, &mut known) {
            panic!("{failure}");
        }
    }
    assert!(known.len() > 100, "{} pairs", known.len());
}

/// Seed 32009645: what is pending, and turns out to be in vain, must not ask a step to run that has to wait.
#[test]
fn nobody_runs_who_has_to_wait() {
    let source = "int x = 1, y = 0;
        process p0 { y = 2; }
        process p1 { int t0 = x; }
        process p2 { await ((y != 2) || (x == 1)); }
        process p3 { x = 0; }";
    let checks = Checks { algorithms: Algorithm::CONSTRAINED.to_vec(), ..Checks::default() };
    let checked = check_synthesised(source, &checks, &mut HashMap::new());
    assert!(matches!(checked, Ok(Some(_))), "{checked:?}");
}

/// Seed 3200195: where integers are immoderate nothing is said, so nothing is wrong. There `x` is already what is written.
#[test]
fn immoderate_integers_contradict_nothing() {
    let source = "int x = 9223372036854775807;
        process p { int t0 = 0; x = t0 + 9223372036854775807; }
        process q { int t0 = x; }";
    let checks = Checks { algorithms: Algorithm::CONSTRAINED.to_vec(), ..Checks::default() };
    let checked = check_synthesised(source, &checks, &mut HashMap::new());
    assert!(matches!(checked, Ok(Some(_))), "{checked:?}");
}

/// Random pairs of steps in random states, whether a program reaches them or not.
#[test]
fn random_pairs_have_right_constraints() {
    let (first, pairs) = (number("PAIRS_SEED", 0), number("PAIRS", 60));
    let mut tried = Tried::default();
    let mut seed = first;
    while (tried.pairs as u64) < pairs {
        if let Err(wrong) = try_pair(seed, 40, &mut Nothing, &mut tried) {
            panic!("{wrong}");
        }
        seed += 1;
    }
    println!("seeds {first} to {seed}: {tried:?}");
    assert!(tried.conditional * 5 > tried.pairs && tried.necessary * 5 > tried.pairs, "{tried:?}");
    assert!(tried.held > 0 && tried.refuted > 0, "{tried:?}");
}
