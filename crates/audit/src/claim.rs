//! Whether a schedule shows the violation that it is said to show.

use std::sync::Arc;

use mazurka_machine::{Describe, Machine};
use mazurka_trace::{Ending, Event, FaultKind, ProcessId, Value, Violation};

use crate::census::{Census, Finding, Waiter, waiting};
use crate::dependence::happens_before;
use crate::names::Names;

/// A violation with its schedule, told by names, so that it can be checked on another machine for
/// the same program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What is said to go wrong.
    pub finding: Finding,
    /// For a deadlock: who waits for a mutex, and who is said to hold it.
    pub holders: Vec<(Arc<str>, Arc<str>)>,
    /// Who steps, and the values of the data choices made in the step.
    pub schedule: Vec<(Arc<str>, Vec<Value>)>,
}

impl Claim {
    /// What a violation claims; `describe` is the machine it was found on.
    pub fn new(violation: &Violation, describe: &impl Describe) -> Claim {
        let mut names = Names::default();
        let mut name = |process: ProcessId| names.get(describe, process).text.clone();
        let mut holders = Vec::new();
        let finding = if violation.fault.kind.is_standstill() {
            let mut waiters = Vec::new();
            for waiting in &violation.waiting {
                waiters.push(Waiter { process: name(waiting.process), site: waiting.site });
                holders.extend(waiting.holder.map(|holder| (name(waiting.process), name(holder))));
            }
            waiters.sort();
            holders.sort();
            Finding::Deadlock(waiters)
        } else {
            let fault = violation.fault;
            Finding::Fault { kind: fault.kind, process: name(fault.process), site: fault.site }
        };
        let schedule = violation.schedule.iter().map(|step| (name(step.process), step.choices.clone())).collect();
        Claim { finding, holders, schedule }
    }
}

/// Runs the schedule from the machine's initial state, and looks whether it ends with what is
/// claimed. Leaves the machine in its initial state.
///
/// # Errors
/// Says what does not fit: a step that cannot be taken, values that were not chosen, or a different
/// ending.
pub fn check_claim<M: Machine + Describe>(machine: &mut M, claim: &Claim) -> Result<(), String> {
    machine.restart();
    let verdict = replay(machine, claim).and_then(|events| check_end(machine, claim, events));
    machine.restart();
    verdict
}

fn replay<M: Machine + Describe>(machine: &mut M, claim: &Claim) -> Result<Vec<Event>, String> {
    let mut events: Vec<Event> = Vec::new();
    for (number, (name, choices)) in claim.schedule.iter().enumerate() {
        let at = number + 1;
        if events.last().is_some_and(|event| matches!(event.ending, Ending::Halts | Ending::OutOfFuel)) {
            return Err(format!("step {at} comes after the end of the execution"));
        }
        let process = machine.find_process(name).ok_or_else(|| format!("step {at}: nobody is called `{name}`"))?;
        if !machine.live().contains(process) {
            return Err(format!("step {at}: `{name}` does not run"));
        }
        if !machine.is_enabled(process) {
            return Err(format!("step {at}: `{name}` cannot move"));
        }
        let mut event = Event::default();
        machine.step(process, choices, &mut event);
        let made: Vec<Value> = event.choices.iter().map(|choice| choice.value).collect();
        if !made.starts_with(choices) {
            return Err(format!("step {at}: `{name}` chose {made:?}, the schedule says {choices:?}"));
        }
        events.push(event);
    }
    Ok(events)
}

fn check_end<M: Machine + Describe>(machine: &mut M, claim: &Claim, mut events: Vec<Event>) -> Result<(), String> {
    let mut names = Names::default();
    match &claim.finding {
        Finding::Deadlock(expected) => {
            check_regular(&events)?;
            check_nobody_moves(machine)?;
            let waiters = waiting(machine, &mut names);
            if &waiters != expected {
                return Err(format!("waiting are {waiters:?}, the claim says {expected:?}"));
            }
            let holders = holders(machine, &mut names);
            let same = holders == claim.holders;
            if same { Ok(()) } else { Err(format!("holders are {holders:?}, the claim says {:?}", claim.holders)) }
        }
        Finding::Fault { kind: FaultKind::DataRace, .. } => {
            // Where nothing that synchronises orders two accesses, the second one says so itself.
            if events.last().is_some_and(|event| shows(event, &claim.finding, &mut names, machine)) {
                return check_not_assumed_away(&events);
            }
            check_not_over(&events)?;
            check_not_assumed_away_for(&events, &claim.finding, &mut names, machine)?;
            let mut census = Census::default();
            census.note_data_races(machine, &mut names);
            let shown = census.findings.contains_key(&claim.finding);
            if shown { Ok(()) } else { Err(format!("the schedule does not end with {}", claim.finding)) }
        }
        Finding::Fault { .. } => {
            let shown = events.last().is_some_and(|event| shows(event, &claim.finding, &mut names, machine));
            if shown {
                return check_not_assumed_away(&events);
            }
            check_regular(&events)?;
            check_nobody_moves(machine)?;
            let mut conclusion = Event::default();
            if machine.live().is_empty() && machine.conclude(&mut conclusion) {
                events.push(conclusion);
            }
            let shown = events.last().is_some_and(|event| shows(event, &claim.finding, &mut names, machine));
            if shown { Ok(()) } else { Err(format!("the schedule does not end with {}", claim.finding)) }
        }
    }
}

fn holders<M: Machine + Describe>(machine: &mut M, names: &mut Names) -> Vec<(Arc<str>, Arc<str>)> {
    let live: Vec<_> = machine.live().iter().collect();
    let held: Vec<_> = live.into_iter().filter_map(|waiter| Some((waiter, machine.holder(waiter)?))).collect();
    let mut name = |process| names.get(machine, process).text.clone();
    let mut holders: Vec<_> = held.into_iter().map(|(waiter, holder)| (name(waiter), name(holder))).collect();
    holders.sort();
    holders
}

fn shows(event: &Event, finding: &Finding, names: &mut Names, describe: &impl Describe) -> bool {
    event.faults.iter().any(|fault| {
        let process = names.get(describe, fault.process).text.clone();
        Finding::Fault { kind: fault.kind, process, site: fault.site } == *finding
    })
}

/// Nothing ended the execution or made it one that does not count.
fn check_regular(events: &[Event]) -> Result<(), String> {
    let regular = events.iter().all(|event| event.ending == Ending::Continues);
    if regular { Ok(()) } else { Err("the schedule holds a failed assumption, or ends with another fault".into()) }
}

/// Nothing ended the execution.
fn check_not_over(events: &[Event]) -> Result<(), String> {
    let over = events.iter().any(|event| matches!(event.ending, Ending::Halts | Ending::OutOfFuel));
    if over { Err("the schedule ends with another fault".into()) } else { Ok(()) }
}

/// No failed assumption happens before what the process of a finding has done.
fn check_not_assumed_away_for(
    events: &[Event],
    finding: &Finding,
    names: &mut Names,
    describe: &impl Describe,
) -> Result<(), String> {
    let Finding::Fault { process, .. } = finding else { return Ok(()) };
    let own = |event: &Event| names.get(describe, event.process).text == *process;
    match events.iter().rposition(own) {
        Some(last) => check_not_assumed_away(&events[..=last]),
        None => Ok(()),
    }
}

fn check_nobody_moves<M: Machine + Describe>(machine: &mut M) -> Result<(), String> {
    let live: Vec<_> = machine.live().iter().collect();
    match live.into_iter().find(|&process| machine.is_enabled(process)) {
        Some(process) => Err(format!("`{}` can still move at the end", machine.process_name(process))),
        None => Ok(()),
    }
}

fn check_not_assumed_away(events: &[Event]) -> Result<(), String> {
    let before = happens_before(events);
    let last = events.len() - 1;
    let assumed_away = (0..last).any(|event| events[event].ending.cuts_short() && before[event][last]);
    if assumed_away { Err("a failed assumption happens before the failure".into()) } else { Ok(()) }
}
