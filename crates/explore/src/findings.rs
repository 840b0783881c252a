//! The violations found so far, each distinct one once.

use mazurka_machine::Machine;
use mazurka_trace::{Event, EventId, Fault, FaultKind, ProcessId, Schedule, Scheduled, SiteId, Violation, Waiting};
use rustc_hash::FxHashMap;

use crate::choices::Choices;
use crate::execution::Execution;

/// What makes a violation distinct: its kind, its place and its process; for a deadlock, everyone
/// who waits and where.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Fault(FaultKind, SiteId, ProcessId),
    Deadlock(Vec<(ProcessId, SiteId)>),
}

/// The distinct violations, and those that the current execution shows.
#[derive(Default)]
pub(crate) struct Findings {
    violations: Vec<Violation>,
    numbers: FxHashMap<Key, usize>,
    /// Which violation shows after how many events of the current execution.
    current: Vec<(usize, usize)>,
}

impl Findings {
    pub(crate) fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// Notes the faults of the newest event, or of the end of the execution.
    #[cold]
    pub(crate) fn note(&mut self, faults: &[Fault], execution: &Execution, choices: &Choices) {
        for &fault in faults {
            let key = Key::Fault(fault.kind, fault.site, fault.process);
            self.enter(key, execution.len(), || (fault, Vec::new()), || schedule(execution, choices));
        }
    }

    /// Notes the faults of the newest event, with a schedule of those events only that happen
    /// before it.
    #[cold]
    pub(crate) fn note_past(&mut self, faults: &[Fault], execution: &Execution, choices: &Choices) {
        let newest = EventId::new(execution.len() - 1);
        let events = (0..execution.len()).map(EventId::new);
        let past = || events.clone().filter(|&event| execution.happens_before(event, newest));
        for &fault in faults {
            let key = Key::Fault(fault.kind, fault.site, fault.process);
            self.enter(key, execution.len(), || (fault, Vec::new()), || scheduled(past(), execution, choices));
        }
    }

    /// Notes that nobody can move although somebody has not ended.
    #[cold]
    pub(crate) fn note_deadlock<M: Machine>(&mut self, machine: &mut M, execution: &Execution, choices: &Choices) {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let key = Key::Deadlock(live.iter().map(|&process| (process, machine.pending(process))).collect());
        self.enter(key, execution.len(), || standstill(machine), || schedule(execution, choices));
    }

    /// Notes a data race between two processes that stand before their accesses after this
    /// schedule.
    #[cold]
    pub(crate) fn note_data_race(&mut self, fault: Fault, schedule: impl FnOnce() -> Schedule) {
        let key = Key::Fault(fault.kind, fault.site, fault.process);
        let number = *self.numbers.entry(key).or_insert_with(|| {
            self.violations.push(Violation { fault, waiting: Vec::new(), schedule: schedule(), executions: 0 });
            self.violations.len() - 1
        });
        self.violations[number].executions += 1;
    }

    fn enter(
        &mut self,
        key: Key,
        length: usize,
        describe: impl FnOnce() -> (Fault, Vec<Waiting>),
        schedule: impl FnOnce() -> Schedule,
    ) {
        let number = *self.numbers.entry(key).or_insert_with(|| {
            let (fault, waiting) = describe();
            let schedule = schedule();
            self.violations.push(Violation { fault, waiting, schedule, executions: 0 });
            self.violations.len() - 1
        });
        if self.current.iter().all(|&(_, known)| known != number) {
            self.current.push((length, number));
        }
    }

    /// Forgets what the current execution shows only with more than `length` events.
    #[inline]
    pub(crate) fn forget_from(&mut self, length: usize) {
        while self.current.last().is_some_and(|&(at, _)| at > length) {
            self.current.pop();
        }
    }

    /// Counts the current execution for all that it shows.
    #[inline]
    pub(crate) fn count(&mut self) {
        for &(_, number) in &self.current {
            self.violations[number].executions += 1;
        }
    }

    /// Whether the current execution shows a violation that no execution was counted for yet.
    pub(crate) fn is_uncounted(&self) -> bool {
        self.current.iter().any(|&(_, number)| self.violations[number].executions == 0)
    }

    pub(crate) fn violations(&self) -> &[Violation] {
        &self.violations
    }

    pub(crate) fn into_violations(self) -> Vec<Violation> {
        self.violations
    }
}

/// What fails where nobody can move although somebody has not ended: a deadlock, or a livelock.
pub(crate) fn standstill<M: Machine>(machine: &mut M) -> (Fault, Vec<Waiting>) {
    let live: Vec<ProcessId> = machine.live().iter().collect();
    let mut disabled_step = Event::default();
    let waiting: Vec<Waiting> = live
        .iter()
        .map(|&process| {
            machine.disabled_step(process, &mut disabled_step);
            let locations = disabled_step.accesses.iter().map(|access| access.location).collect();
            let (site, holder) = (machine.pending(process), machine.holder(process));
            Waiting { process, site, locations, holder }
        })
        .collect();
    let first = &waiting[0];
    let spins = live.iter().any(|&process| machine.spins(process));
    let kind = if spins { FaultKind::Livelock } else { FaultKind::Deadlock };
    let kind = machine.standstill().unwrap_or(kind);
    let fault = Fault { kind, process: first.process, site: first.site, detail: [0; 2] };
    (fault, waiting)
}

/// The data race between what two processes are about to do, told as that of the one whose place
/// comes first.
pub(crate) fn data_race<M: Machine>(machine: &mut M, one: ProcessId, other: ProcessId) -> Option<Fault> {
    let place = |process| (machine.pending(process), process);
    let (one, other) = if place(one) <= place(other) { (one, other) } else { (other, one) };
    machine.data_race(one, other)
}

/// The current execution as a schedule.
fn schedule(execution: &Execution, choices: &Choices) -> Schedule {
    scheduled((0..execution.len()).map(EventId::new), execution, choices)
}

/// Some events of the current execution as a schedule.
pub(crate) fn scheduled(events: impl Iterator<Item = EventId>, execution: &Execution, choices: &Choices) -> Schedule {
    events
        .map(|event| {
            let record = execution.record(event);
            Scheduled { process: record.process, choices: choices.values(record.choice).collect() }
        })
        .collect()
}
