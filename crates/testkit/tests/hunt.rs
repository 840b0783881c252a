//! The hunt beside the proof: what it finds is there, and the proof does not notice it.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mazurka_audit::{Budget, Claim, brute_force, check_claim};
use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore, explore_hunting, hunt};
use mazurka_machine::Rerun;
use mazurka_process::Image;
use mazurka_testkit::corpus::{self, Expectation};
use mazurka_testkit::{generate, load, machine};
use mazurka_trace::{Hunted, Outcome, Verdict};

/// Philosophers who all take the left fork first: few of very many executions fail.
const PHILOSOPHERS: &str = "
const N = 7;
mutex fork[N];
int eaten = 0;
process philosopher[N](i) {
  int meal = 0;
  while (meal < 2) {
    lock(fork[i]);
    lock(fork[(i + 1) % N]);
    eaten = eaten + 1;
    unlock(fork[(i + 1) % N]);
    unlock(fork[i]);
    meal = meal + 1;
  }
}";

/// Nothing can go wrong here. Processes create others, so that their numbers depend on who ran
/// first.
const FAMILY: &str = "
int x = 0, y = 0, z = 0;
process p[3](i) {
  spawn child(i);
  x = x + i;
  int t = choose(0, 1);
  y = x + t;
}
proc child(int v) {
  z = v;
  y = y + 1;
  x = z;
}";

fn image(source: &str) -> Arc<Image> {
    load("hunt.mzk", source, &[]).expect("the program is valid")
}

/// In programs that are small enough for the hunt to see all of them, it finds a failure exactly if
/// brute force finds one, and one of the same.
#[test]
fn what_is_found_is_what_there_is() {
    let (mut failing, mut missed, mut right) = (0, 0, 0);
    for seed in 0..1_200 {
        let source = generate(seed).to_string();
        let image = image(&source);
        let budget = Budget { executions: 2_000, steps: 100_000, depth: 1_000 };
        let Ok(truth) = brute_force(&mut machine(&image), budget) else { continue };
        let mut subject = machine(&image);
        let found = hunt(&mut subject, &Options::default(), seed, 300_000);
        let Some((_, violations)) = found else {
            // What fails beside an assumption that fails is left to the proof.
            assert!(!truth.fails() || truth.discarded > 0, "seed {seed}\n{source}");
            (missed, right) = (missed + u32::from(truth.fails()), right + u32::from(!truth.fails()));
            continue;
        };
        failing += 1;
        assert!(!violations.is_empty());
        for violation in &violations {
            let claim = Claim::new(violation, &subject);
            assert!(truth.findings.contains_key(&claim.finding), "seed {seed}: {}\n{source}", claim.finding);
            check_claim(&mut machine(&image), &claim).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        }
    }
    assert!(failing > 200 && right > 200, "{failing} programs fail, {right} do not");
    assert!(missed < failing / 50, "{missed} of {failing}");
}

/// Running again instead of rewinding finds the same in the same way.
#[test]
fn a_machine_that_runs_again_is_hunted_alike() {
    for seed in 0..60 {
        let image = image(&generate(seed).to_string());
        let rewound = hunt(&mut machine(&image), &Options::default(), 1, 3_000);
        let rerun = hunt(&mut Rerun::new(machine(&image)), &Options::default(), 1, 3_000);
        assert_eq!(rewound, rerun, "seed {seed}");
    }
}

/// What counts in a proof, or in what there is of one.
fn counts(outcome: &Outcome) -> Outcome {
    Outcome { time: std::time::Duration::ZERO, ..outcome.clone() }
}

#[test]
fn a_proof_counts_the_same_beside_a_hunt() {
    let (image, mut hunted) = (image(FAMILY), 0);
    for algorithm in Algorithm::ALL {
        let limits = Limits { executions: Some(20_000), ..Limits::default() };
        let options = Options { algorithm, limits, ..Options::default() };
        let alone = explore(&mut machine(&image), &options, &Monitor::default());
        let machines = Cell::new(0);
        let make = || {
            machines.set(machines.get() + 1);
            machine(&image)
        };
        let beside = explore_hunting(&mut machine(&image), &make, 1, &options, &Monitor::default());
        assert_eq!(counts(&alone), counts(&beside), "{algorithm}");
        assert_ne!(alone.verdict(), Verdict::Violation);
        assert!(machines.get() <= 1);
        hunted += machines.get();
    }
    assert!(hunted > 6, "the hunt began beside {hunted} algorithms");
}

#[test]
fn a_failure_is_found_before_the_proof_meets_it() {
    let image = image(PHILOSOPHERS);
    for algorithm in Algorithm::ALL {
        let options = Options { algorithm, ..Options::default() };
        let (mut subject, make) = (machine(&image), || machine(&image));
        let outcome = explore_hunting(&mut subject, &make, 1, &options, &Monitor::default());
        assert_eq!(outcome.verdict(), Verdict::Violation, "{algorithm}");
        assert!(outcome.limits.is_empty() && outcome.events < 200_000, "{algorithm}: {} events", outcome.events);
        let hunted = outcome.hunted.expect("the proof takes longer");
        assert!(hunted.executions < 2_000, "{algorithm}: {hunted:?}");
        let [violation] = &outcome.violations[..] else { panic!("{algorithm}: {:?}", outcome.violations) };
        let claim = Claim::new(violation, &subject);
        check_claim(&mut machine(&image), &claim).unwrap_or_else(|error| panic!("{algorithm}: {error}"));
    }
}

/// Where everything is to be found, or the context switches are limited, the exploration is alone.
#[test]
fn some_explorations_are_alone() {
    let image = image(FAMILY);
    let limits = Limits { executions: Some(10_000), ..Limits::default() };
    let switches = Limits { switches: Some(20), ..limits.clone() };
    let alone =
        [Options { all: true, limits, ..Options::default() }, Options { limits: switches, ..Options::default() }];
    for options in alone {
        let make = || panic!("nobody hunts");
        explore_hunting(&mut machine(&image), &make, 1, &options, &Monitor::default());
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn has_clang() -> bool {
    mazurka_clang::Clang::find(None).is_ok()
}

/// The hunt finds something in each program of the corpus that fails, of what stands in it, and
/// nothing in the others.
#[test]
fn the_corpus_is_hunted() {
    let mut files: Vec<PathBuf> = corpus::files(&root().join("corpus")).expect("the corpus is there");
    files.retain(|file| has_clang() || !corpus::is_c(file));
    let mut complaints = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).expect("it can be read");
        let expected = Expectation::parse(&source).expect("it is in order").violations;
        let found = corpus::hunt_file(&file, 1, 30_000);
        let fits = match &found {
            Err(_) => false,
            Ok(None) => expected.is_empty(),
            Ok(Some((_, lines))) => !lines.is_empty() && lines.iter().all(|line| expected.contains(line)),
        };
        if !fits {
            complaints.push(format!("{}: {found:?}, not of {expected:?}", file.display()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn seven_philosophers_in_c_are_found_soon() {
    if !has_clang() {
        return;
    }
    for seed in 1..=20 {
        let file = root().join("bench/c/philosophers-seven.c");
        let found = corpus::hunt_file(&file, seed, 200_000).expect("it compiles");
        let (Hunted { executions, .. }, lines) = found.expect("it is found");
        assert_eq!(lines, ["deadlock"]);
        assert!(executions <= 3_000, "seed {seed}: {executions}");
    }
}
