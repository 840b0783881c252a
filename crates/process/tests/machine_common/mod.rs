//! What the tests of the machine share.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka_machine::{Describe, Machine, Run};
use mazurka_process::{Image, ProcessMachine, compile};
use mazurka_trace::{Ending, Event, ProcessId, Value};

/// The machine of a program.
pub(crate) fn machine(source: &str) -> ProcessMachine {
    let program = match compile("test.mzk", source, &[]) {
        Ok(program) => program,
        Err(diagnostics) => panic!("{diagnostics:?}\n{source}"),
    };
    ProcessMachine::new(Arc::new(Image::new(&program, "test.mzk", source)))
}

/// The process of this name.
pub(crate) fn process(machine: &impl Describe, name: &str) -> ProcessId {
    machine.find_process(name).unwrap_or_else(|| panic!("no process {name}"))
}

/// Steps the process of this name, which must be live and enabled.
pub(crate) fn step(machine: &mut ProcessMachine, name: &str) -> Event {
    step_with(machine, name, &[])
}

/// As `step`, with data choices.
pub(crate) fn step_with(machine: &mut ProcessMachine, name: &str, choices: &[Value]) -> Event {
    let process = process(machine, name);
    assert!(machine.live().contains(process), "{name} is not live");
    assert!(machine.is_enabled(process), "{name} is not enabled");
    let mut event = Event::default();
    machine.step(process, choices, &mut event);
    event
}

/// Whether the process of this name is enabled.
pub(crate) fn enabled(machine: &mut ProcessMachine, name: &str) -> bool {
    let process = process(machine, name);
    machine.live().contains(process) && machine.is_enabled(process)
}

/// The names of the live processes.
pub(crate) fn live(machine: &ProcessMachine) -> Vec<String> {
    machine.live().iter().map(|process| machine.process_name(process)).collect()
}

/// What an event did, in words: `x: 0 Write 1, m: free Acquire p`.
pub(crate) fn accesses(machine: &ProcessMachine, event: &Event) -> String {
    let words = event.accesses.iter().map(|access| {
        let text = |value| machine.value_text(access.location, value);
        let name = machine.location_name(access.location);
        format!("{name}: {} {:?} {}", text(access.before), access.kind, text(access.after))
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The faults of an event, in words, with their places.
pub(crate) fn faults(machine: &ProcessMachine, event: &Event) -> Vec<String> {
    let words = event.faults.iter().map(|fault| {
        let place = machine.place(fault.site);
        format!(
            "{}:{}: {}: {}",
            place.line,
            place.column,
            machine.process_name(fault.process),
            machine.fault_text(fault)
        )
    });
    words.collect()
}

/// What a program can end in.
#[derive(Default, Debug)]
pub(crate) struct Outcomes {
    /// Complete executions.
    pub(crate) executions: usize,
    /// The values of the globals at the end, or `deadlock`, `discarded`, `halted`, with them.
    pub(crate) ends: BTreeSet<String>,
    /// The faults in words.
    pub(crate) faults: BTreeSet<String>,
}

/// Every interleaving and every choice, one after the other.
pub(crate) fn all(source: &str) -> Outcomes {
    let mut outcomes = Outcomes::default();
    explore(&mut machine(source), &mut outcomes, false);
    outcomes
}

fn explore(machine: &mut ProcessMachine, outcomes: &mut Outcomes, discarded: bool) {
    let candidates: Vec<ProcessId> = match machine.at_local() {
        Some(at_local) => vec![at_local],
        None => {
            let live: Vec<ProcessId> = machine.live().iter().collect();
            live.into_iter().filter(|&process| machine.is_enabled(process)).collect()
        }
    };
    if candidates.is_empty() {
        let ending = match (discarded, machine.live().is_empty()) {
            (true, _) => "discarded: ",
            (false, false) => "deadlock: ",
            (false, true) => "",
        };
        let steps = machine.steps();
        let mut event = Event::default();
        if machine.live().is_empty() && !discarded && machine.conclude(&mut event) {
            outcomes.faults.extend(faults(machine, &event));
        }
        finish(machine, outcomes, ending);
        machine.rewind(steps);
        return;
    }
    for process in candidates {
        let steps = machine.steps();
        let mut choices = Vec::new();
        loop {
            let mut event = Event::default();
            machine.step(process, &choices, &mut event);
            outcomes.faults.extend(faults(machine, &event));
            match event.ending {
                Ending::Continues => explore(machine, outcomes, discarded),
                Ending::Discards | Ending::Fails => explore(machine, outcomes, true),
                Ending::Halts => finish(machine, outcomes, "halted: "),
                Ending::OutOfFuel => finish(machine, outcomes, "out of fuel: "),
            }
            machine.rewind(steps);
            let Some(last) = event.choices.iter().rposition(|choice| choice.value < choice.high) else { break };
            choices = event.choices[..=last].iter().map(|choice| choice.value).collect();
            choices[last] += 1;
        }
    }
}

fn finish(machine: &ProcessMachine, outcomes: &mut Outcomes, ending: &str) {
    outcomes.executions += 1;
    let globals: Vec<String> = machine.snapshot().into_iter().filter(|line| !line.contains(": ")).collect();
    outcomes.ends.insert(format!("{ending}{}", globals.join(", ")));
}

/// The ends as a list.
pub(crate) fn ends(outcomes: &Outcomes) -> Vec<&str> {
    outcomes.ends.iter().map(String::as_str).collect()
}
