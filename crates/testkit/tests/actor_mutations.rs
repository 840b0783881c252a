//! Deliberate breakages of the machine for actors: each one must be noticed, by the corpus or by
//! random programs.
//!
//! Built only with the feature `mutations`; `cargo xtask test` does.
#![cfg(feature = "mutations")]

use std::path::{Path, PathBuf};

use mazurka_actor::Dependence;
use mazurka_actor::deadlock::Settings;
use mazurka_actor::mutation::{self, Mutation};
use mazurka_audit::{Budget, Probes};
use mazurka_testkit::actor::{
    ActorChecks, MethodFinder, check_actors, check_deadlocks, check_methods, generate_actors, generate_circles,
    generate_commuting,
};
use mazurka_testkit::{Algorithm, Checks, corpus};

/// Within so many random programs.
const PROGRAMS: u64 = 600;

fn programs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files = corpus::files(&corpus).expect("the corpus is there");
    // It runs long, and shows none of them.
    files.retain(|file| corpus::is_actor(file) && !file.ends_with("feature-long-list.abs"));
    files
}

/// What shows that something is broken.
fn noticed(files: &[PathBuf]) -> Option<String> {
    for file in files {
        let checked = std::panic::catch_unwind(|| corpus::check_file(file));
        if !matches!(checked, Ok(Ok(()))) {
            return Some(file.file_name().unwrap_or_default().display().to_string());
        }
    }
    if let Some(found) = noticed_by_analysis() {
        return Some(found);
    }
    if let Some(found) = noticed_by_constraints() {
        return Some(found);
    }
    let checks = Checks {
        budget: Budget { executions: 300, steps: 20_000, depth: 300 },
        rerun: false,
        up_to_names: true,
        workers: Vec::new(),
        ..Checks::default()
    };
    let probes = Probes { executions: 3, pasts: 3, neighbours: 0, steps: 200, seed: 1 };
    let checks = ActorChecks { checks, probes, dependences: vec![Dependence::Field, Dependence::Entry] };
    (0..PROGRAMS).find_map(|seed| {
        let found = check_actors(&generate_actors(seed).to_string(), &checks).err()?;
        Some(format!("random program {seed}: {found}"))
    })
}

/// Whoever comes first decides which pair can deadlock.
const EITHER_PAIR: &str = "module Either;
interface I { Unit ask(I other); Unit answer(); }
interface G { Unit pick(I one, I other); }
class A implements I { Unit ask(I other) { Fut<Unit> f = other!answer(); f.get; } Unit answer() { } }
class B implements I { Unit ask(I other) { Fut<Unit> f = other!answer(); f.get; } Unit answer() { } }
class G implements G {
  Int n = 0;
  Unit pick(I one, I other) { n = n + 1; if (n == 1) { one!ask(other); other!ask(one); } }
}
{ G g = new G(); I a = new A(); I b = new A(); I c = new B(); I d = new B(); g!pick(a, b); g!pick(c, d); }
";

/// Programs whose deadlocks the analysis and the guided exploration are compared with brute force
/// on.
fn noticed_by_analysis() -> Option<String> {
    let budget = Budget { executions: 1_000, steps: 10_000, depth: 300 };
    let polling = include_str!("../../../corpus/violation/abs/polling.abs").to_owned();
    let ring = include_str!("../../../bench/suites/ifm16/factorial.abs").replace("factors() = 3", "factors() = 2");
    let random = (0..PROGRAMS).map(|seed| generate_circles(seed).to_string());
    [polling, ring, EITHER_PAIR.to_owned()].into_iter().chain(random).enumerate().find_map(|(number, program)| {
        let found = check_deadlocks(&program, Settings::default(), budget).err()?;
        Some(format!("program {number} that aims at circles: {found}"))
    })
}

/// Programs whose methods commute, with the constraints that a solver finds.
fn noticed_by_constraints() -> Option<String> {
    let checks = Checks {
        budget: Budget { executions: 300, steps: 20_000, depth: 300 },
        algorithms: vec![Algorithm::Constrained, Algorithm::OptimalConstrained],
        rerun: false,
        shuffles: Vec::new(),
        first_violation: false,
        up_to_names: true,
        workers: Vec::new(),
        ..Checks::default()
    };
    let checks = ActorChecks { checks, dependences: vec![Dependence::Field], ..ActorChecks::default() };
    let mut finder = MethodFinder::default();
    (0..PROGRAMS / 2).find_map(|seed| {
        let program = generate_commuting(seed).to_string();
        let found = check_methods(&program, Dependence::Field, &checks, &mut finder).err()?;
        Some(format!("program {seed} whose methods commute: {found}"))
    })
}

#[test]
fn every_breakage_is_noticed() {
    let files = programs();
    let mut unnoticed = Vec::new();
    // What is shared round a cycle is noticed by `paper_mutations` of crate `actor`, those of
    // symbolic execution by `symbolic`.
    let elsewhere = [
        Mutation::SharedRoundTheCycle,
        Mutation::ConditionForgotten,
        Mutation::NoAliases,
        Mutation::DifferenceForgotten,
        Mutation::FirstConstructor,
        Mutation::DecisionsKept,
    ];
    let ours = Mutation::ALL.iter().filter(|mutation| !elsewhere.contains(mutation));
    for &mutation in ours {
        mutation::set(Some(mutation));
        match noticed(&files) {
            Some(by) => println!("{mutation:?}: {by}"),
            None => unnoticed.push(mutation),
        }
        mutation::set(None);
    }
    assert!(unnoticed.is_empty(), "nobody notices {unnoticed:?}");
}
