//! Timelines for the tests of this crate.

use mazurka_machine::Place;
use mazurka_trace::FaultKind;

use crate::view::{DataRace, Effect, Failure, Step, Switch, Timeline, Waiter};

pub(crate) fn place(line: usize, text: &str) -> Place {
    Place { file: "sample.mzk".to_owned(), line, column: 3, text: text.to_owned() }
}

fn reads(name: &str, value: i64) -> Effect {
    Effect::Reads { name: name.to_owned(), value: value.to_string() }
}

fn writes(name: &str, before: i64, after: i64) -> Effect {
    Effect::Writes { name: name.to_owned(), before: before.to_string(), after: after.to_string(), reads: false }
}

fn step(number: usize, column: usize, place: Place, switch: Switch, effects: Vec<Effect>) -> Step {
    Step {
        column: Some(column),
        process: ["p", "q", "r"][column].to_owned(),
        number: Some(number),
        place,
        effects,
        choices: Vec::new(),
        spawned: Vec::new(),
        joined: Vec::new(),
        failures: Vec::new(),
        switch,
        discards: false,
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Two processes lose an update; the end notices.
pub(crate) fn lost_update() -> Timeline {
    let failure = Failure {
        kind: FaultKind::Assertion,
        message: "assertion failed: x == 2".to_owned(),
        process: "finally".to_owned(),
        place: place(14, "assert x == 2"),
    };
    let mut last = step(5, 0, place(14, "assert x == 2"), Switch::Ended, vec![reads("x", 1)]);
    last.column = None;
    last.number = None;
    last.process = "finally".to_owned();
    last.failures.push(failure.clone());
    Timeline {
        processes: names(&["p", "q"]),
        steps: vec![
            step(1, 0, place(5, "t = x"), Switch::Stays, vec![reads("x", 0)]),
            step(2, 1, place(10, "t = x"), Switch::Preempted, vec![reads("x", 0)]),
            step(3, 1, place(11, "x = t + 1"), Switch::Stays, vec![writes("x", 0, 1)]),
            step(4, 0, place(6, "x = t + 1"), Switch::Ended, vec![writes("x", 1, 1)]),
            last,
        ],
        failure: Some(failure),
        ..Timeline::default()
    }
}

/// Two processes wait for each other.
pub(crate) fn deadlock() -> Timeline {
    let locks = |name: &str| vec![Effect::Locks { name: name.to_owned() }];
    let waiter = |process: &str, line, text: &str, mutex: &str, holder: &str| Waiter {
        process: process.to_owned(),
        place: place(line, text),
        waits_for: vec![(mutex.to_owned(), holder.to_owned())],
        holder: Some(holder.to_owned()),
        lane: None,
        reason: None,
        kind: None,
        spins: false,
    };
    let waiting = vec![waiter("p", 4, "lock(b)", "b", "q"), waiter("q", 8, "lock(a)", "a", "p")];
    Timeline {
        processes: names(&["p", "q"]),
        steps: vec![
            step(1, 0, place(3, "lock(a)"), Switch::Stays, locks("a")),
            step(2, 1, place(7, "lock(b)"), Switch::Preempted, locks("b")),
        ],
        failure: Failure::standstill(&waiting),
        waiting,
        ..Timeline::default()
    }
}

/// Forty steps of one process of which another notices the last.
pub(crate) fn long() -> Timeline {
    let mut steps: Vec<Step> = (0..40)
        .map(|n| step(n + 1, 0, place(4, "x = x + 1"), Switch::Stays, vec![writes("x", n as i64, n as i64 + 1)]))
        .collect();
    steps.push(step(41, 1, place(8, "assert x < 40"), Switch::Preempted, vec![reads("x", 40)]));
    steps.push(step(42, 0, place(4, "y = 1"), Switch::Ended, vec![writes("y", 0, 1)]));
    Timeline { processes: names(&["p", "q"]), steps, ..Timeline::default() }
}

/// A reader and a writer about to meet, after some output.
pub(crate) fn race() -> Timeline {
    let place = |line, text: &str| Place { file: "a.c".to_owned(), ..place(line, text) };
    let failure = Failure {
        kind: FaultKind::DataRace,
        message: "data race on `x`: written at a.c:7 by q, read at a.c:4 by p, unordered".to_owned(),
        process: "q".to_owned(),
        place: place(7, "x = 1;"),
    };
    let sides = [("q".to_owned(), place(7, "x = 1;")), ("p".to_owned(), place(4, "t = x;"))];
    Timeline {
        processes: names(&["p", "q"]),
        steps: vec![step(1, 0, place(3, "ready = 1;"), Switch::Stays, vec![writes("ready", 0, 1)])],
        races: vec![DataRace { failure: failure.clone(), sides }],
        output: "hello\nworld".to_owned(),
        failure: Some(failure),
        ..Timeline::default()
    }
}
