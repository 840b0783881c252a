//! Violations by names, so that they mean the same to every worker, and in a file.

use std::collections::BTreeMap;

use mazurka_machine::{Describe, Machine};
use mazurka_trace::{Event, Fault, FaultKind, ProcessId, Schedule, Scheduled, SiteId, Value, Violation, Waiting};

use crate::findings::{data_race, standstill};

/// A schedule by names.
pub type NamedSchedule = Vec<(String, Vec<Value>)>;

/// What makes a violation distinct, by names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Distinct {
    /// Where it fails.
    pub site: SiteId,
    /// How.
    pub kind: FaultKind,
    /// Whose step it is.
    pub process: String,
    /// Everybody who waits, by name.
    pub waiting: Vec<(String, SiteId)>,
}

/// A violation by names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Which one.
    pub distinct: Distinct,
    /// A schedule that shows it.
    pub schedule: NamedSchedule,
    /// How many executions show it.
    pub executions: u64,
}

impl Told {
    /// A violation that was found on a machine.
    pub(crate) fn of<M: Describe>(machine: &M, violation: &Violation) -> Self {
        let mut waiting: Vec<(String, SiteId)> =
            violation.waiting.iter().map(|one| (machine.process_key(one.process), one.site)).collect();
        waiting.sort();
        // Who of those who wait is named first depends on numbers.
        let (site, process) = match waiting.first() {
            Some((process, site)) => (*site, process.clone()),
            None => (violation.fault.site, machine.process_key(violation.fault.process)),
        };
        let name = |step: &Scheduled| (machine.process_key(step.process), step.choices.clone());
        let schedule = violation.schedule.iter().map(name).collect();
        let distinct = Distinct { site, kind: violation.fault.kind, process, waiting };
        Self { distinct, schedule, executions: violation.executions }
    }
}

/// The distinct violations of several workers.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<Distinct, (NamedSchedule, u64)>);

impl Tally {
    /// Adds one. Of several schedules, the shortest is kept, and of these the first by names.
    pub(crate) fn add(&mut self, told: Told) {
        let Told { distinct, schedule, executions } = told;
        match self.0.get_mut(&distinct) {
            None => _ = self.0.insert(distinct, (schedule, executions)),
            Some((known, count)) => {
                *count += executions;
                if (schedule.len(), &schedule) < (known.len(), &*known) {
                    *known = schedule;
                }
            }
        }
    }

    /// All of them, in order.
    pub(crate) fn into_told(self) -> Vec<Told> {
        let told = |(distinct, (schedule, executions))| Told { distinct, schedule, executions };
        self.0.into_iter().map(told).collect()
    }
}

/// The violation in the numbers of a machine: its schedule is run there.
///
/// # Panics
/// If the schedule does not show it.
pub(crate) fn retold<M: Machine + Describe>(machine: &mut M, told: Told) -> Violation {
    let Told { distinct, schedule, executions } = told;
    machine.restart();
    let mut event = Event::default();
    let mut own: Schedule = Schedule::new();
    for (name, choices) in schedule {
        let process = live(machine, &name).expect("a schedule can be run on each machine of the program");
        machine.step(process, &choices, &mut event);
        own.push(Scheduled { process, choices });
    }
    let shown = shown(machine, &distinct, &event);
    machine.restart();
    let (fault, waiting) = shown.expect("a failing schedule fails on each machine of the program");
    Violation { fault, waiting, schedule: own, executions }
}

/// The live process of this name.
fn live<M: Machine + Describe>(machine: &M, name: &str) -> Option<ProcessId> {
    machine.live().iter().find(|&process| machine.process_key(process) == name)
}

/// What fails after the last step of a schedule, which was this event.
fn shown<M: Machine + Describe>(machine: &mut M, what: &Distinct, event: &Event) -> Option<(Fault, Vec<Waiting>)> {
    if !what.waiting.is_empty() {
        return Some(standstill(machine));
    }
    let is_it = |machine: &M, fault: &Fault| {
        (fault.kind, fault.site) == (what.kind, what.site) && machine.process_key(fault.process) == what.process
    };
    if let Some(&fault) = event.faults.iter().find(|fault| is_it(machine, fault)) {
        return Some((fault, Vec::new()));
    }
    if what.kind == FaultKind::DataRace {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let pairs = live.iter().flat_map(|&one| live.iter().map(move |&other| (one, other)));
        let mut faults = pairs.filter(|(one, other)| one < other);
        return faults.find_map(|(one, other)| {
            data_race(machine, one, other).filter(|fault| is_it(machine, fault)).map(|fault| (fault, Vec::new()))
        });
    }
    let mut last = Event::default();
    machine.conclude(&mut last);
    last.faults.iter().find(|fault| is_it(machine, fault)).map(|&fault| (fault, Vec::new()))
}
