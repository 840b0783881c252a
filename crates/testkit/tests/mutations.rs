//! Deliberate breakages of the engines: each one must be noticed.
//!
//! Built only with the feature `mutations`; `cargo xtask test` does.
#![cfg(feature = "mutations")]

mod constrained_programs;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mazurka_audit::Budget;
use mazurka_explore::mutation::{self, Mutation};
use mazurka_process::Image;
use mazurka_testkit::actor::{ActorChecks, check_actors};
use mazurka_testkit::{
    Algorithm, Checks, Disagreement, check_all_algorithms, check_constrained, check_image, generate,
};

/// Within so many random programs.
const PROGRAMS: u64 = 6_000;

fn checks() -> Checks {
    Checks { budget: Budget { executions: 1_000, steps: 50_000, depth: 1_000 }, rerun: false, ..Checks::default() }
}

/// The algorithms that have to notice it, each by itself; none where it is enough that somebody
/// does.
fn witnesses(mutation: Mutation) -> Vec<Algorithm> {
    match mutation {
        Mutation::NobodyLeavesUnordered => vec![Algorithm::OptimalConstrainedObservers],
        // A wakeup sequence without the event that made two others commute holds both of these:
        // where they do not, that is seen when it is explored.
        Mutation::PastUnchecked => vec![Algorithm::Constrained],
        Mutation::SleepersPastUnchecked | Mutation::ConstraintHidesUses => vec![Algorithm::OptimalConstrained],
        Mutation::UncertainOrder => vec![Algorithm::OptimalConstrainedObservers],
        mutation if concerns_constraints(mutation) => Algorithm::CONSTRAINED.to_vec(),
        _ => Vec::new(),
    }
}

/// Whether only programs with constraints can show it.
fn concerns_constraints(mutation: Mutation) -> bool {
    use Mutation::{ConstraintInWrongState, FootprintsUnchecked, PastUnchecked, UniformityUnchecked};
    matches!(
        mutation,
        UniformityUnchecked
            | ConstraintInWrongState
            | FootprintsUnchecked
            | PastUnchecked
            | Mutation::SleepersPastUnchecked
            | Mutation::UncertainOrder
            | Mutation::ConstraintHidesUses
            | Mutation::NobodyLeavesUnordered
    )
}

/// Whether only several workers can show it.
fn concerns_workers(mutation: Mutation) -> bool {
    use Mutation::{EldersByTime, InsertUnseen, NoWalkDown, RequestsForgotten, WalkThroughCones};
    matches!(mutation, NoWalkDown | WalkThroughCones | EldersByTime | InsertUnseen | RequestsForgotten)
}

/// Whether only programs in C can show it: see `c_mutations`.
fn concerns_c(mutation: Mutation) -> bool {
    mutation == Mutation::WaitingUnlooked
}

/// The program that shows a breakage which random ones seldom show.
fn witness(mutation: Mutation) -> Option<&'static str> {
    Some(match mutation {
        Mutation::AnceOfCommuting => {
            "int x = 0, y = 0, a[2] = 0;
             process p0 { y = 1; a[1] = 1; x = 0; int t3 = y; }
             process p1 { y = x; y = 1; int t2 = a[0]; }"
        }
        Mutation::ShortThoughWhole => {
            "int x = 0, y = 0; bool b = false;
             process p0 { y = 1; }
             process p1 { if (y >= 2) { } else { x = 0; } }
             process p2 { b = (y == 0); }
             process p3 { int t0 = y; x = 1; }"
        }
        Mutation::RivalsNeeded => {
            "int x = 0, y = 0;
             process p0 { int t0 = 0; t0 = x; }
             process p1 { x = 0; y = 1; }
             process p2 { int t0 = x; atomic { if ((y == 0)) { x = 1; } } }"
        }
        Mutation::PendingRedundant => {
            "int x = 0, y = 0, z = 0;
             process p0 { z = 0; }
             process p1 { x = 0; int t1 = 0; int t2 = choose(0, 1); t1 = x; }
             process p2 { int t0 = z; if (z == 0) { } }
             process p3 { x = 1; await y >= 0; }"
        }
        Mutation::NobodyAfterCut => {
            "int x = 0, z = 0;
             process p0 { z = 1; x = 1; }
             process p1 { x = 1; int t0 = x; z = 0; }
             finally { assert (z != 1); }"
        }
        Mutation::NobodyVaries => {
            "int x = 0, y = 0;
             process p0 { x = 0; y = 0; }
             process p1[2](i) { x = 1; y = 0; if (((x != 0) && (0 >= y))) { } }"
        }
        Mutation::FailingBranchCommutes => {
            "int x = 0;
             process p { x = 1; }
             process q { assume x >= 1; }
             process r { int t = 0 / x; }"
        }
        // Both orders of p and q lead to the same. But r, which needs p, writes some of what q
        // writes, and q can come after it.
        Mutation::UnlikeWriteOvertakes => {
            "int x = 0, y = 0, z = 0, w = 0;
             process p { atomic { x = 1; z = 1; } }
             process q { atomic { x = 1; y = 1; } }
             process r { atomic { w = z; if (z == 1) { y = 2; } } }
             finally { assert !(x == 1 && y == 1 && w == 1); }"
        }
        Mutation::RedundantWithoutDisabledSteps => {
            "int x = 1; int y = 0;
             process p0 { int t1; y = 0; atomic { t1 = y; x = 1; y = 1; } }
             process p1 { y = 1; }
             process p2 { assert (x != 0); atomic { x = 0; await (y == 1); } }"
        }
        Mutation::PastUnchecked => {
            "int x = 0, y = 0, z = 0;
             process p0 { if (x > y) { assert false; } }
             process p1 { z = 0; y = 1; }
             process p2 { x = 1; }
             independent p0, p1 when x == 0;
             independent p0, p2 when y == 1;"
        }
        Mutation::SleepersPastUnchecked => constrained_programs::LATER_REASON,
        Mutation::UncertainOrder => constrained_programs::EACH_OTHER,
        Mutation::ConstraintHidesUses => constrained_programs::OTHER_USES,
        // Whoever sets `x` has set `y`, for ever. But of two that did, each must not count on the
        // other one.
        Mutation::ConstraintInWrongState => {
            "int x = 0, y = 0;
             process p[2](i) { y = y * 0 + 2; x = 2; }
             process q { int t = y; }
             independent p, p when true;
             independent p, q when x == 2;"
        }
        // Whoever comes second writes `y`. Only if that is p0, `z` can be set while `y` is not.
        Mutation::FootprintsUnchecked => {
            "int x = 0, y = 0, z = 0;
             process p0 { atomic a { if (x == 0) { x = 1; } else { y = 1; } } }
             process p1 { atomic b { if (x == 0) { x = 1; } else { y = 1; } } z = 1; }
             process p2 { assert !(z == 1 && y == 0); }
             independent a, b when true;"
        }
        _ => return None,
    })
}

/// The ABS program that shows a breakage of what only machines for actors can tell.
fn actor_witness(mutation: Mutation) -> Option<&'static str> {
    (mutation == Mutation::OvertakenRacesLost)
        .then_some(include_str!("../../../corpus/violation/abs/overtaken-race.abs"))
}

/// Whether nothing disagrees on it while the breakage is switched on.
fn is_overlooked(mutation: Mutation, source: &str) -> bool {
    mutation::set(Some(mutation));
    let verdict = check_actors(source, &ActorChecks::default());
    mutation::set(None);
    verdict.is_ok()
}

/// Where to begin among the random programs, for a breakage that few of them show.
fn first_seed(mutation: Mutation) -> u64 {
    match mutation {
        Mutation::UniformityUnchecked => 5_000,
        Mutation::NobodyLeavesUnordered => 6_007_050,
        _ => 0,
    }
}

/// The first program on which something disagrees while the breakage is switched on; `by` this
/// algorithm, if it is one that makes use of constraints.
fn first_disagreement(mutation: Option<Mutation>, by: Option<Algorithm>, programs: u64) -> Option<(u64, Disagreement)> {
    let constrained = by.is_some();
    let mut checks = checks();
    if let Some(algorithm) = by {
        checks.algorithms = vec![algorithm];
        checks.shuffles = (1..=4).collect();
        checks.budget = Checks::default().budget;
    }
    mutation::set(mutation);
    if let Some(source) = mutation.and_then(witness) {
        let checks = Checks { shuffles: (1..=40).collect(), few: u64::MAX, budget: Checks::default().budget, ..checks };
        let verdict = check_all_algorithms(source, &checks);
        mutation::set(None);
        return verdict.err().map(|disagreement| (0, disagreement));
    }
    let first = mutation.map_or(0, first_seed);
    let found = (first..first + programs).find_map(|seed| {
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
                    if concerns_workers(mutation) || concerns_c(mutation) {
                        continue;
                    }
                    if let Some(source) = actor_witness(mutation) {
                        if is_overlooked(mutation, source) {
                            unnoticed.lock().expect("nobody panics with it").push((mutation, None));
                        }
                        continue;
                    }
                    let witnesses = witnesses(mutation);
                    let by = if witnesses.is_empty() { vec![None] } else { witnesses.into_iter().map(Some).collect() };
                    for by in by {
                        match first_disagreement(Some(mutation), by, PROGRAMS) {
                            Some((seed, disagreement)) => println!("{mutation:?}: seed {seed}: {disagreement}"),
                            None => unnoticed.lock().expect("nobody panics with it").push((mutation, by)),
                        }
                    }
                }
            });
        }
    });
    let _ = std::panic::take_hook();
    let unnoticed = unnoticed.into_inner().expect("nobody panics with it");
    assert!(unnoticed.is_empty(), "nobody noticed {unnoticed:?} in {PROGRAMS} programs");
}

/// What only several workers can do wrong.
#[test]
fn breakages_of_the_division_are_noticed() {
    std::panic::set_hook(Box::new(|_| {}));
    let unnoticed: Vec<Mutation> = Mutation::ALL
        .into_iter()
        .filter(|&mutation| concerns_workers(mutation))
        .filter(|&mutation| {
            mutation::set(Some(mutation));
            let found = (0..PROGRAMS).find_map(|seed| {
                let checks = Checks {
                    algorithms: vec![Algorithm::Optimal, Algorithm::Source],
                    shuffles: Vec::new(),
                    workers: vec![(1, seed), (2, seed), (4, seed)],
                    ..checks()
                };
                check_all_algorithms(&generate(seed).to_string(), &checks).err().map(|found| (seed, found))
            });
            mutation::set(None);
            if let Some((seed, found)) = &found {
                println!("{mutation:?}: seed {seed}: {found}");
            }
            found.is_none()
        })
        .collect();
    let _ = std::panic::take_hook();
    assert!(unnoticed.is_empty(), "nobody noticed {unnoticed:?} in {PROGRAMS} programs");
}

/// What processes may still write decides about whether a constraint holds uniformly: their next
/// step alone is not enough. The first steps of `q` and `r` do not matter.
#[test]
fn writes_without_continuations_are_noticed() {
    let source = "int x = 0, y = 1, unused = 0, idle = 0;
        process p { if (x > y) { assert false; } }
        process q { unused = 1; y = y - 1; }
        process r { idle = 1; x = x + 1; }
        independent p, q when x == 0;
        independent p, r when y == 1;";
    let program = mazurka_process::compile("test.mzk", source, &[]).expect("it compiles");
    let image = Image::new(&program, "test.mzk", source);
    let mut broken = image.clone();
    broken.forget_continuations();
    for algorithm in Algorithm::CONSTRAINED {
        let checks = Checks { algorithms: vec![algorithm], shuffles: (1..=12).collect(), ..checks() };
        let verdict = check_image(Arc::new(image.clone()), &checks);
        assert!(verdict.is_ok(), "{verdict:?}");
        assert!(check_image(Arc::new(broken.clone()), &checks).is_err(), "{algorithm} did not notice");
    }
}

#[test]
fn without_a_breakage_nothing_is_noticed() {
    if let Some((seed, disagreement)) = first_disagreement(None, None, 500) {
        panic!("seed {seed}: {disagreement}\n{}", generate(seed));
    }
}
