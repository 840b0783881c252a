//! Schedules run again on real programs, and what is written down about them.

use std::sync::Arc;

use mazurka_machine::{Describe, Place, Run};
use mazurka_process::{Image, ProcessMachine, compile};
use mazurka_report::{
    Effect, Failure, Layout, MisfitReason, NamedStep, Switch, Timeline, record, replay, timeline_text,
};
use mazurka_trace::{Event, FaultKind, Scheduled};

fn machine(source: &str) -> ProcessMachine {
    let program = compile("test.mzk", source, &[]).expect("the program is correct");
    ProcessMachine::new(Arc::new(Image::new(&program, "test.mzk", source)))
}

fn step(process: &str, choices: &[i64]) -> NamedStep {
    NamedStep { process: process.to_owned(), choices: choices.to_vec() }
}

fn steps(processes: &[&str]) -> Vec<NamedStep> {
    processes.iter().map(|process| step(process, &[])).collect()
}

/// A failure at a place; what is compared is the kind, the place and the process.
fn failure(kind: FaultKind, process: &str, line: usize, column: usize) -> Failure {
    let place = Place { file: String::new(), line, column, text: String::new() };
    Failure { kind, message: String::new(), process: process.to_owned(), place }
}

fn switches(timeline: &Timeline) -> Vec<Switch> {
    timeline.steps.iter().map(|step| step.switch).collect()
}

#[test]
fn switches_tell_why_the_process_before_stopped() {
    let mut machine = machine(
        "mutex m; int x = 0;\n\
         process p { lock(m); x = 1; unlock(m); }\n\
         process q { x = 2; lock(m); unlock(m); }\n\
         process r { assert x == 1; }",
    );
    let wanted = failure(FaultKind::Assertion, "r", 4, 13);
    let schedule = steps(&["p", "q", "p", "p", "q", "q", "r"]);
    let timeline = replay(&mut machine, &schedule, &wanted).expect("it fits");
    assert_eq!(timeline.failure, None, "x is 1");
    use Switch::{Ended, Preempted, Stays, Waits};
    assert_eq!(switches(&timeline), [Stays, Preempted, Waits, Stays, Ended, Stays, Ended]);
    assert_eq!(timeline.preemptions(), 1);
    let timeline = replay(&mut machine, &steps(&["q", "r"]), &wanted).expect("it fits");
    assert_eq!(timeline.failure.map(|failure| failure.message), Some("assertion failed: x == 1".to_owned()));
    assert_eq!(timeline.processes, ["q", "r"]);
}

#[test]
fn steps_are_written_down_in_the_users_words() {
    let mut machine = machine(
        "int a[2]; bool b = false; mutex m;\n\
         process p { int c = choose(1, 4); atomic { lock(m); a[1] = a[0] + c; b = true; unlock(m); }\n\
         spawn w(c); }\n\
         proc w(int v) { assert a[1] != v; }",
    );
    let wanted = failure(FaultKind::Assertion, "w@p.1", 4, 17);
    let schedule = [step("p", &[3]), step("p", &[]), step("p", &[]), step("w@p.1", &[])];
    let timeline = replay(&mut machine, &schedule, &wanted).expect("it fits");
    assert!(timeline.failure.is_some(), "{timeline:?}");
    let numbers: Vec<_> = timeline.steps.iter().map(|step| step.number).collect();
    assert_eq!(numbers, [None, Some(1), Some(2), Some(3)]);
    assert_eq!(timeline.steps[0].choices, [3]);
    let name = |name: &str| name.to_owned();
    assert_eq!(
        timeline.steps[1].effects,
        [
            Effect::Locks { name: name("m") },
            Effect::Unlocks { name: name("m") },
            Effect::Reads { name: name("a[0]"), value: name("0") },
            Effect::Writes { name: name("a[1]"), before: name("0"), after: name("3"), reads: false },
            Effect::Writes { name: name("b"), before: name("false"), after: name("true"), reads: false },
        ]
    );
    assert_eq!(timeline.steps[2].spawned, ["w@p.1"]);
}

#[test]
fn a_deadlock_is_found_at_the_end() {
    let mut machine = machine(
        "mutex a; mutex b; bool go = false;\n\
         process p { lock(a); lock(b); }\n\
         process q { lock(b); lock(a); }\n\
         process r { await go; }",
    );
    let wanted = failure(FaultKind::Deadlock, "p", 2, 22);
    let timeline = replay(&mut machine, &steps(&["p", "q"]), &wanted).expect("it fits");
    let failure = timeline.failure.as_ref().expect("it deadlocks");
    assert_eq!(failure.message, "deadlock: p, q and r cannot move");
    assert_eq!(timeline.processes, ["p", "q", "r"]);
    assert_eq!(timeline.waiting[0].holder.as_deref(), Some("q"));
    assert_eq!(timeline.waiting[2].waits_for, [("go".to_owned(), "false".to_owned())]);
    let text = timeline_text(&timeline, &Layout { width: 80, full: false }).paint(false);
    let expected = "
✗ deadlock: nobody can move
  p  waits at line 2: lock(b), but b is held by q
  q  waits at line 3: lock(a), but a is held by p
  r  waits at line 4: await go, while go = false
  circle of waiting: p → q → p
";
    assert!(text.ends_with(expected), "{text}");
    // Somebody could still move: no deadlock.
    let timeline = replay(&mut machine, &steps(&["p"]), &wanted).expect("it fits");
    assert!(timeline.waiting.is_empty() && timeline.failure.is_none());
}

#[test]
fn a_schedule_by_numbers_is_the_same_as_by_names() {
    let mut machine = machine("int x = 0; process p { x = x + 1; } process q { x = 5; } finally { assert x == 6; }");
    let wanted = failure(FaultKind::Assertion, "finally", 1, 68);
    let named = steps(&["p", "q"]);
    let by_name = replay(&mut machine, &named, &wanted).expect("it fits");
    let schedule: Vec<Scheduled> = named
        .iter()
        .map(|step| Scheduled { process: machine.find_process(&step.process).expect("it is known"), choices: vec![] })
        .collect();
    let mut event = Event::default();
    machine.restart();
    for step in &schedule {
        machine.step(step.process, &[], &mut event);
    }
    assert!(machine.conclude(&mut event));
    let fault = event.faults[0];
    let by_number = record(&mut machine, &schedule, &fault).expect("it fits");
    assert_eq!(by_name, by_number);
    assert!(by_name.failure.is_some(), "{by_name:?}");
    assert_eq!(by_name.steps[2].process, "finally");
}

#[test]
fn schedules_that_do_not_fit() {
    let mut machine = machine(
        "mutex m; int x = 0;\n\
         process p { lock(m); x = 1; unlock(m); }\n\
         process q { lock(m); unlock(m); }\n\
         process r { int c = choose(0, 1); x = 1 / c; }",
    );
    let wanted = failure(FaultKind::Assertion, "p", 1, 1);
    let mut misfit = |schedule: &[NamedStep]| replay(&mut machine, schedule, &wanted).expect_err("it does not fit");
    let first = misfit(&steps(&["s"]));
    assert_eq!((first.step, first.reason), (1, MisfitReason::Unknown));
    let ended = misfit(&steps(&["q", "q", "q"]));
    assert_eq!((ended.step, ended.reason), (3, MisfitReason::NotRunning));
    let waits = misfit(&steps(&["p", "q"]));
    assert_eq!(waits.to_string(), "step 2: process `q` cannot move: it waits at test.mzk:3:13 (`lock(m)`)");
    let chooses = misfit(&[step("r", &[2])]);
    assert_eq!(chooses.to_string(), "step 1: process `r` was to choose [2], and could only choose [0]");
    let halted = misfit(&steps(&["r", "r", "p"]));
    assert_eq!(halted.to_string(), "step 3: process `p` cannot move: the execution has ended (division by zero)");
}
