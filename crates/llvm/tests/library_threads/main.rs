//! What the threads of C programs do with the library: programs that say in their first line what
//! is found in them.
//!
//! `verified`, with the number of executions where it can be told by hand, or `violation` and the
//! kind of the fault, or `incomplete`; a line `// nondet LO..HI` gives the range of
//! nondeterministic numbers. Every algorithm has to come to the same verdict, and the one that is
//! optimal to the number. Where that is possible, all interleavings are run, and counted by their
//! traces: the number has to be the same, and so have the failures; and what is said to commute has
//! to commute.

mod random;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mazurka_audit::{Budget, Census, Finding, brute_force};
use mazurka_clang::{Clang, build};
use mazurka_explore::{Algorithm, Monitor, Options, explore};
use mazurka_llvm::{CMachine, Settings};
use mazurka_trace::{FaultKind, Outcome, Verdict};

/// More interleavings than this are not tried one by one.
const INTERLEAVINGS: u64 = 20_000;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/threads");
    let entries = std::fs::read_dir(folder).expect("the programs are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

/// What a program says is found in it.
struct Expectation {
    verdict: Verdict,
    kind: Option<String>,
    executions: Option<u64>,
    settings: Settings,
}

fn expectation(text: &str) -> Expectation {
    let words: Vec<&str> = text.lines().next().expect("a line").split_whitespace().skip(1).collect();
    let (verdict, kind, executions) = match words[..] {
        ["verified"] => (Verdict::Verified, None, None),
        ["verified", count] => (Verdict::Verified, None, Some(count.parse().expect("a number"))),
        ["violation", kind] => (Verdict::Violation, Some(kind.to_owned()), None),
        ["incomplete"] => (Verdict::Incomplete, None, None),
        _ => panic!("{words:?}"),
    };
    let nondet = text.lines().find_map(|line| line.strip_prefix("// nondet ")).map(|range| {
        let (low, high) = range.split_once("..").expect("a range");
        (low.parse().expect("a number"), high.parse().expect("a number"))
    });
    Expectation { verdict, kind, executions, settings: Settings { nondet, ..Settings::default() } }
}

fn check(name: &str, expected: &Expectation, algorithm: Algorithm, outcome: &Outcome) {
    match &expected.kind {
        Some(kind) => {
            let found: Vec<String> = outcome.violations.iter().map(|one| format!("{:?}", one.fault.kind)).collect();
            assert_eq!(found, std::slice::from_ref(kind), "{name}, {algorithm}");
        }
        None => {
            let found = &outcome.violations;
            assert_eq!(outcome.verdict(), expected.verdict, "{name}, {algorithm}: {found:?} {:?}", outcome.limits);
            if algorithm == Algorithm::Optimal {
                assert_eq!(outcome.blocked, 0, "{name}");
                assert_eq!(outcome.executions, expected.executions.unwrap_or(outcome.executions), "{name}");
            }
        }
    }
}

/// Compares what there is with what an exploration of everything finds.
fn compare(name: &str, truth: &Census, machine: &mut CMachine) {
    assert_eq!(truth.contradictions, Vec::<String>::new(), "{name}");
    let options = Options { algorithm: Algorithm::Optimal, all: true, ..Options::default() };
    let outcome = explore(machine, &options, &Monitor::default());
    assert_eq!(outcome.executions, truth.traces.len() as u64, "{name}: traces");
    let kind = |kind: FaultKind| match kind {
        FaultKind::Livelock => "Deadlock".to_owned(),
        kind => format!("{kind:?}"),
    };
    let found: BTreeSet<String> = outcome.violations.iter().map(|one| kind(one.fault.kind)).collect();
    let kinds = truth.findings.keys().map(|finding| match finding {
        Finding::Deadlock(_) => "Deadlock".to_owned(),
        Finding::Fault { kind, .. } => format!("{kind:?}"),
    });
    assert_eq!(found, kinds.collect(), "{name}: failures");
}

#[test]
fn programs_do_what_they_say() {
    if Clang::find(None).is_err() {
        eprintln!("there is no clang: nothing is tried");
        return;
    }
    for file in programs() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("the program can be read");
        let expected = expectation(&text);
        let built = build(&[file], None, &mazurka_clang::Options::default(), &expected.settings)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let image = Arc::new(built.image);
        for algorithm in Algorithm::ALL {
            let mut options = Options { algorithm, ..Options::default() };
            options.limits.executions = (algorithm == Algorithm::None).then_some(INTERLEAVINGS);
            let mut machine = CMachine::new(Arc::clone(&image));
            let outcome = explore(&mut machine, &options, &Monitor::default());
            let given_up = algorithm == Algorithm::None && outcome.verdict() == Verdict::Incomplete;
            if !given_up {
                check(&name, &expected, algorithm, &outcome);
            }
        }
        let budget = Budget { executions: INTERLEAVINGS, steps: 10 * INTERLEAVINGS, depth: 1_000 };
        let complete = expected.verdict != Verdict::Incomplete;
        if complete && let Ok(truth) = brute_force(&mut CMachine::new(Arc::clone(&image)), budget) {
            compare(&name, &truth, &mut CMachine::new(image));
        }
    }
}
