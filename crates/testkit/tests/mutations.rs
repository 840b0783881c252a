//! Deliberate breakages of the engines: each one must be noticed.
//!
//! Built only with the feature `mutations`; `cargo xtask test` does.
#![cfg(feature = "mutations")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mazurka_audit::Budget;
use mazurka_explore::mutation::{self, Mutation};
use mazurka_testkit::{Algorithm, Checks, Disagreement, check_all_algorithms, check_constrained, generate};

/// Within so many random programs.
const PROGRAMS: u64 = 6_000;

fn checks() -> Checks {
    Checks { budget: Budget { executions: 1_000, steps: 50_000 }, rerun: false, ..Checks::default() }
}

/// Whether only programs with constraints can show it.
fn concerns_constraints(mutation: Mutation) -> bool {
    use Mutation::{ConstraintInWrongState, FootprintsUnchecked, UniformityUnchecked};
    matches!(mutation, UniformityUnchecked | ConstraintInWrongState | FootprintsUnchecked)
}

/// The first program on which something disagrees while the breakage is switched on.
fn first_disagreement(mutation: Option<Mutation>, programs: u64) -> Option<(u64, Disagreement)> {
    let constrained = mutation.is_some_and(concerns_constraints);
    let checks = if constrained { Checks { algorithms: vec![Algorithm::Constrained], ..checks() } } else { checks() };
    mutation::set(mutation);
    let found = (0..programs).find_map(|seed| {
        let source = generate(seed).to_string();
        let verdict = if constrained {
            check_constrained(&source, seed, &checks)
        } else {
            check_all_algorithms(&source, &checks)
        };
        verdict.err().map(|disagreement| (seed, disagreement))
    });
    mutation::set(None);
    found
}

#[test]
fn every_breakage_is_noticed() {
    assert!(Mutation::ALL.len() >= 10);
    std::panic::set_hook(Box::new(|_| {}));
    let (next, unnoticed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&mutation) = Mutation::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match first_disagreement(Some(mutation), PROGRAMS) {
                        Some((seed, disagreement)) => println!("{mutation:?}: seed {seed}: {disagreement}"),
                        None => unnoticed.lock().expect("nobody panics with it").push(mutation),
                    }
                }
            });
        }
    });
    let _ = std::panic::take_hook();
    let unnoticed = unnoticed.into_inner().expect("nobody panics with it");
    assert!(unnoticed.is_empty(), "nobody noticed {unnoticed:?} in {PROGRAMS} programs");
}

#[test]
fn without_a_breakage_nothing_is_noticed() {
    if let Some((seed, disagreement)) = first_disagreement(None, 500) {
        panic!("seed {seed}: {disagreement}\n{}", generate(seed));
    }
}
