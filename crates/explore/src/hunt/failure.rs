//! What is a failure: the same as in the proof.

use mazurka_machine::Machine;
use mazurka_trace::{AccessKind, Ending, Event, Fault, ProcessId, SiteId, Waiting};

use super::bounded::Wanted;
use crate::findings::{data_race, standstill};

/// Something that failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    pub(crate) waiting: Vec<Waiting>,
}

/// What the steps from a site were seen to do. It grows, and saves looking for data races where
/// there can be none.
#[derive(Clone, Copy, Debug, Default)]
struct Habit {
    is_known: bool,
    /// They can be part of a data race.
    plain: bool,
    /// They use memory.
    memory: bool,
}

/// Looks out for any failure.
#[derive(Debug, Default)]
pub(crate) struct Lookout {
    failures: Vec<Failure>,
    habits: Vec<Habit>,
    /// A step has run into the limit of instructions.
    has_run_out: bool,
}

impl Lookout {
    /// What failed.
    pub(crate) fn take_failures(&mut self) -> Vec<Failure> {
        std::mem::take(&mut self.failures)
    }

    /// Whether a step has run into the limit of instructions since this was last asked.
    pub(crate) fn has_run_out(&mut self) -> bool {
        std::mem::take(&mut self.has_run_out)
    }

    fn fail(&mut self, faults: &[Fault]) -> bool {
        for &fault in faults {
            let is_it = |known: &Failure| (known.fault.kind, known.fault.site) == (fault.kind, fault.site);
            if !self.failures.iter().any(is_it) {
                self.failures.push(Failure { fault, waiting: Vec::new() });
            }
        }
        !faults.is_empty()
    }

    fn habit(&self, site: SiteId) -> Habit {
        self.habits.get(site.index()).copied().unwrap_or_default()
    }

    fn learn(&mut self, event: &Event) {
        if event.site.index() >= self.habits.len() {
            self.habits.resize(event.site.index() + 1, Habit::default());
        }
        let uses = |kind| matches!(kind, AccessKind::Read | AccessKind::Write | AccessKind::Update);
        let habit = &mut self.habits[event.site.index()];
        habit.is_known = true;
        habit.plain |= event.plain;
        habit.memory |= event.accesses.iter().any(|access| uses(access.kind));
    }

    /// Whether steps from two sites may be a data race, as far as is known.
    fn may_race(&self, one: SiteId, other: SiteId) -> bool {
        let (one, other) = (self.habit(one), self.habit(other));
        let plain = |habit: Habit| habit.plain || !habit.is_known;
        let memory = |habit: Habit| habit.memory || !habit.is_known;
        (plain(one) || plain(other)) && memory(one) && memory(other)
    }

    /// Looks for a data race of a process with any other one.
    fn races_with_others<M: Machine>(&mut self, machine: &mut M, one: ProcessId) -> bool {
        if !machine.live().contains(one) {
            return false;
        }
        let (site, mut from) = (machine.pending(one), 0);
        while let Some(other) = machine.live().next_from(from) {
            from = other.index() + 1;
            if other != one
                && self.may_race(site, machine.pending(other))
                && let Some(fault) = data_race(machine, one, other)
            {
                return self.fail(&[fault]);
            }
        }
        false
    }
}

impl<M: Machine> Wanted<M> for Lookout {
    fn is_step(&mut self, event: &Event) -> bool {
        self.has_run_out |= event.ending == Ending::OutOfFuel;
        self.fail(&event.faults)
    }

    /// Only who has just stepped, or was just created, can stand before something new.
    fn is_state(&mut self, machine: &mut M, event: &Event) -> bool {
        if !machine.detects_data_races() {
            return false;
        }
        self.learn(event);
        let created = event.spawned.iter().copied();
        [event.process].into_iter().chain(created).any(|process| self.races_with_others(machine, process))
    }

    fn is_end(&mut self, machine: &mut M) -> bool {
        if machine.live().iter().any(|process| machine.assumes(process)) {
            return false;
        }
        if !machine.live().is_empty() {
            let (fault, waiting) = standstill(machine);
            self.failures.push(Failure { fault, waiting });
            return true;
        }
        let (steps, mut event) = (machine.steps(), Event::default());
        if !machine.conclude(&mut event) {
            return false;
        }
        machine.rewind(steps);
        self.fail(&event.faults)
    }
}
