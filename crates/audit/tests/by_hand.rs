//! The audit against numbers computed by hand.

use std::sync::Arc;

use mazurka_audit::{Budget, Census, Claim, Finding, TooLarge, Watch, brute_force, check_claim};
use mazurka_machine::{Heard, Machine, Run};
use mazurka_process::{Image, ProcessMachine, compile};
use mazurka_trace::{Event, FaultKind};

fn machine(source: &str) -> ProcessMachine {
    let program = compile("test.mzk", source, &[]).expect("the program is valid");
    ProcessMachine::new(Arc::new(Image::new(&program, "test.mzk", source)))
}

fn census(source: &str) -> Census {
    brute_force(&mut machine(source), Budget::default()).expect("the program is small")
}

/// Executions, discarded ones, traces, discarded traces.
fn counts(source: &str) -> [u64; 4] {
    let census = census(source);
    assert_eq!(census.contradictions, Vec::<String>::new());
    [census.executions, census.discarded, census.traces.len() as u64, census.discarded_traces.len() as u64]
}

const THESIS_EXAMPLE_1: &str = "
    int x = 0, y = 0, z = 0;
    process p { y = 1; x = 5; }
    process q { z = 2; x = 4; }
    process r { assert x > 0; }";

#[test]
fn independent_processes_are_one_trace() {
    assert_eq!(counts("int x, y; process p { x = 1; } process q { y = 1; }"), [2, 0, 1, 0]);
}

#[test]
fn two_writers_are_two_traces() {
    assert_eq!(counts("int x; process p { x = 1; } process q { x = 2; }"), [2, 0, 2, 0]);
}

#[test]
fn two_readers_are_one_trace_and_a_writer_makes_four() {
    let readers = "int x; process p[2](i) { int t = x; }";
    assert_eq!(counts(readers), [2, 0, 1, 0]);
    assert_eq!(counts(&format!("{readers} process w {{ x = 1; }}")), [6, 0, 4, 0]);
}

#[test]
fn thesis_example_1_has_thirty_interleavings_in_six_traces() {
    let census = census(THESIS_EXAMPLE_1);
    assert_eq!(census.executions, 30);
    let mut sizes: Vec<u64> = census.traces.values().copied().collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [3, 3, 4, 4, 8, 8]);
    assert_eq!(census.max_events, 5);
    // x is 4 or 5 at the end.
    assert_eq!(census.finals.len(), 2);
    // r fails where it comes before both writes.
    let (finding, seen) = census.findings.first_key_value().expect("the assertion can fail");
    assert!(matches!(finding, Finding::Fault { kind: FaultKind::Assertion, process, .. } if &**process == "r"));
    assert_eq!((census.findings.len(), seen.traces), (1, 2));
}

#[test]
fn running_example_of_jss_has_thirty_and_twelve() {
    let source = "
        int x = 0, y = 0;
        process p { y = 1; x = 1; }
        process q { x = 2; }
        process r { assert x < 3; assert x < 2; }";
    assert_eq!(counts(source), [30, 0, 12, 0]);
}

#[test]
fn a_mutex_is_taken_in_either_order() {
    let source = "mutex m; int x; process p[2](i) { lock(m); x = i; unlock(m); }";
    assert_eq!(counts(source), [2, 0, 2, 0]);
}

#[test]
fn opposite_orders_of_two_mutexes_deadlock() {
    let census = census(
        "mutex m, n;
         process p { lock(m); lock(n); unlock(n); unlock(m); }
         process q { lock(n); lock(m); unlock(m); unlock(n); }",
    );
    // p first, q first, and the deadlock, which is reached in two ways.
    assert_eq!(census.traces.len(), 3);
    let (finding, seen) = census.findings.first_key_value().expect("there is a deadlock");
    let Finding::Deadlock(waiters) = finding else { panic!("{finding}") };
    assert_eq!(waiters.iter().map(|waiter| &*waiter.process).collect::<Vec<_>>(), ["p", "q"]);
    assert_eq!((seen.executions, seen.traces), (2, 1));
}

#[test]
fn data_choices_multiply_traces_and_not_interleavings_of_local_steps() {
    assert_eq!(counts("process p { int t = choose(0, 2); } process q { int t = choose(1, 2); }"), [6, 0, 6, 0]);
    assert_eq!(counts("int x; process p { x = choose(0, 2); } process q { x = 5; }"), [6, 0, 6, 0]);
}

#[test]
fn failed_assumptions_discard() {
    let source = "int x; process p { assume x == 0; } process q { x = 1; int t = x; }";
    // p can stand at three places; where it comes behind x = 1, before or after the read, it is
    // discarded.
    assert_eq!(counts(source), [1, 2, 1, 1]);
}

#[test]
fn a_failure_behind_a_failed_assumption_does_not_count() {
    let behind = "int x; process p { atomic { x = 1; assume false; } } process q { await x == 1; assert x == 2; }";
    assert_eq!(counts(behind), [0, 1, 0, 1]);
    assert!(census(behind).findings.is_empty());
    let beside = "int x, y; process p { assume x == 1; } process q { assert y == 1; }";
    let census = census(beside);
    assert_eq!((census.executions, census.discarded), (0, 2));
    assert_eq!(census.findings.len(), 1, "nothing orders the assertion behind the assumption");
}

#[test]
fn what_ends_an_execution_depends_on_everything() {
    // q halts; p's step is before it or never happens.
    assert_eq!(counts("int x, y; process p { x = 1; } process q { y = 1 / y; }"), [2, 0, 2, 0]);
}

#[test]
fn a_fault_in_local_code_ends_its_process_only() {
    let source =
        "int x; process p { int t = choose(1, 0); } process q { x = 1; assert x == 0; } finally { assert false; }";
    assert_eq!(counts(source), [1, 0, 1, 0]);
    let kinds: Vec<FaultKind> = census(source).findings.keys().filter_map(kind).collect();
    assert_eq!(kinds, [FaultKind::Assertion, FaultKind::EmptyChoice], "of q and p; the end says nothing any more");
}

fn kind(finding: &Finding) -> Option<FaultKind> {
    match finding {
        Finding::Fault { kind, .. } => Some(*kind),
        Finding::Deadlock(_) => None,
    }
}

#[test]
fn a_child_comes_after_its_creation() {
    let source = "int x; process p { spawn w(); x = 1; } proc w() { x = 2; }";
    assert_eq!(counts(source), [2, 0, 2, 0]);
    assert_eq!(counts("int x; process p { x = 1; spawn w(); } proc w() { x = 2; }"), [1, 0, 1, 0]);
}

#[test]
fn finally_sees_the_end_of_every_execution() {
    let census = census("int x; process p[2](i) { x = i; } finally { assert x == 1; }");
    assert_eq!(census.findings.values().map(|seen| seen.executions).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_budget_is_kept() {
    let budget = Budget { executions: 29, ..Budget::default() };
    assert_eq!(brute_force(&mut machine(THESIS_EXAMPLE_1), budget).err(), Some(TooLarge));
    let budget = Budget { executions: 30, ..Budget::default() };
    assert!(brute_force(&mut machine(THESIS_EXAMPLE_1), budget).is_ok());
}

#[test]
fn a_watcher_sees_only_what_was_run() {
    let mut watch = Watch::new(machine("int x; process p[3](i) { x = i; }"));
    let mut event = Event::default();
    let first = watch.live().iter().next().expect("a process");
    watch.step(first, &[], &mut event);
    watch.rewind(0);
    for process in watch.live().clone().iter() {
        watch.step(process, &[], &mut event);
    }
    watch.hear(Heard::Complete);
    let (seen, _) = watch.finish();
    assert_eq!((seen.executions, seen.traces.len()), (1, 1));
}

fn claim_of(source: &str, schedule: &[&str]) -> Claim {
    let finding = census(source).findings.into_keys().next().expect("something goes wrong");
    Claim { finding, holders: Vec::new(), schedule: schedule.iter().map(|&name| (name.into(), vec![])).collect() }
}

#[test]
fn a_claim_is_checked_step_by_step() {
    let check = |schedule: &[&str]| check_claim(&mut machine(THESIS_EXAMPLE_1), &claim_of(THESIS_EXAMPLE_1, schedule));
    assert_eq!(check(&["r"]), Ok(()));
    assert_eq!(check(&["p", "r"]), Ok(()));
    assert!(check(&["p", "p", "r"]).is_err(), "the assertion holds there");
    assert!(check(&["p"]).is_err(), "there is nothing to see yet");
    assert!(check(&["r", "r"]).unwrap_err().contains("does not run"));
    assert!(check(&["s"]).unwrap_err().contains("nobody is called `s`"));
}

#[test]
fn a_claimed_deadlock_must_be_one() {
    let source = "bool go; process p { await go; go = true; } process q { bool t = go; }";
    assert_eq!(check_claim(&mut machine(source), &claim_of(source, &["q"])), Ok(()));
    let early = check_claim(&mut machine(source), &claim_of(source, &[]));
    assert!(early.unwrap_err().contains("can still move"));
    let disabled = check_claim(&mut machine(source), &claim_of(source, &["q", "p"]));
    assert!(disabled.unwrap_err().contains("cannot move"));
}
