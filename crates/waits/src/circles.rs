//! Circles of threads that wait for each other, wherever executions end.
//!
//! # Method
//! Nothing dissolves a circle of locks and joins. But an execution with one need not end in a
//! standstill: an assertion of somebody else fails, somebody else goes round in a loop, or `main`
//! returns. So the machine is watched, and every end of an execution is looked at.
//!
//! # Guarantee
//! Every circle at the end of a complete execution is found, unless an assumption failed there. One
//! that closes in an execution which is cut is not looked for.

use std::collections::BTreeMap;

use mazurka_machine::{
    Arrival, Constrained, Constraints, DataRaces, Describe, Digest, Ends, Heard, Imagination, Independence, Journey,
    Machine, Place, Rest, Run, forward, forward_constraints, forward_questions,
};
use mazurka_trace::{
    Ending, Event, Fault, FaultKind, LocationId, ProcessId, ProcessSet, Schedule, Scheduled, SiteId, Value, Waiting,
};

/// A machine of any kind. So exploring is compiled once for all of them.
pub trait Any: Machine + Describe {}

impl<M: Machine + Describe> Any for M {}

/// Threads that wait for each other, or one that waits for a lock of somebody who has ended.
#[derive(Clone, Debug)]
pub struct Circle {
    /// Who, in order: each waits for the next, the last one for the first.
    pub waiting: Vec<Waiting>,
    /// An execution that shows it.
    pub schedule: Schedule,
}

/// A machine whose ends are looked at.
pub struct Circles<'a> {
    inner: Box<dyn Any + 'a>,
    path: Vec<Scheduled>,
    /// Whose newest step ended the execution, if it did.
    halted_by: Option<ProcessId>,
    /// Who has come to an untimely end, after how many steps.
    cut: Vec<(usize, ProcessId)>,
    /// By who stands where.
    found: BTreeMap<Vec<(ProcessId, SiteId)>, Circle>,
    /// Executions with a circle that do not end in a standstill.
    otherwise: u64,
}

impl<'a> Circles<'a> {
    /// Watches a machine in its initial state.
    pub fn new(inner: Box<dyn Any + 'a>) -> Self {
        Circles { inner, path: Vec::new(), halted_by: None, cut: Vec::new(), found: BTreeMap::new(), otherwise: 0 }
    }

    /// What was found, and how many executions with a circle ended otherwise than in a standstill.
    pub fn take(&mut self) -> (Vec<Circle>, u64) {
        let found = std::mem::take(&mut self.found);
        (found.into_values().collect(), std::mem::take(&mut self.otherwise))
    }

    /// Looks at the current state. Whether there is a circle.
    pub fn look(&mut self) -> bool {
        let live: Vec<ProcessId> = self.inner.live().iter().collect();
        if live.iter().any(|&process| self.inner.assumes(process)) {
            return false;
        }
        let keepers: BTreeMap<ProcessId, Vec<ProcessId>> =
            live.iter().map(|&process| (process, self.keepers(process))).collect();
        let circles = circles(&keepers);
        for circle in &circles {
            let mut key: Vec<_> = circle.iter().map(|&process| (process, self.inner.pending(process))).collect();
            key.sort_unstable();
            if !self.found.contains_key(&key) {
                let next = circle.iter().cycle().skip(1);
                let waiting = circle.iter().zip(next).map(|(&process, &next)| self.waiting(process, next)).collect();
                self.found.insert(key, Circle { waiting, schedule: self.path.clone() });
            }
        }
        !circles.is_empty()
    }

    fn keepers(&mut self, process: ProcessId) -> Vec<ProcessId> {
        let waits = !self.inner.spins(process) && !self.inner.is_enabled(process);
        let mut keepers = if waits { self.inner.keepers(process) } else { Vec::new() };
        // Who ended the program was not waiting, and would have gone on; so would who has failed,
        // and who made an assumption.
        let would_go_on =
            |keeper| Some(keeper) == self.halted_by || self.cut.iter().any(|&(_, process)| process == keeper);
        keepers.retain(|&keeper| !would_go_on(keeper));
        keepers
    }

    fn waiting(&mut self, process: ProcessId, next: ProcessId) -> Waiting {
        let mut event = Event::default();
        self.inner.disabled_step(process, &mut event);
        let locations = event.accesses.iter().map(|access| access.location).collect();
        // Of the readers of a lock, the one that is waited for in this circle.
        let is_circle = self.inner.keepers(process).contains(&next);
        let holder = self.inner.holder(process).map(|holder| if is_circle { next } else { holder });
        Waiting { process, site: self.inner.pending(process), locations, holder }
    }
}

/// One circle for each process that others lead to; and those who wait for somebody who has ended.
fn circles(keepers: &BTreeMap<ProcessId, Vec<ProcessId>>) -> Vec<Vec<ProcessId>> {
    let mut circles: Vec<Vec<ProcessId>> = Vec::new();
    for (&start, kept) in keepers {
        if kept.iter().any(|keeper| !keepers.contains_key(keeper)) {
            circles.push(vec![start]);
        }
        let circle = shortest(keepers, start);
        // A circle is told from its lowest process.
        circles.extend(circle.filter(|circle| circle.iter().min() == Some(&start)));
    }
    circles
}

/// A shortest way back to where it began.
fn shortest(keepers: &BTreeMap<ProcessId, Vec<ProcessId>>, start: ProcessId) -> Option<Vec<ProcessId>> {
    let mut came: BTreeMap<ProcessId, ProcessId> = BTreeMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(process) = queue.pop_front() {
        for &next in keepers.get(&process).into_iter().flatten() {
            if next == start {
                let mut way: Vec<ProcessId> =
                    std::iter::successors(Some(process), |at| came.get(at).copied()).collect();
                way.reverse();
                return Some(way);
            }
            if keepers.contains_key(&next) && !came.contains_key(&next) {
                came.insert(next, process);
                queue.push_back(next);
            }
        }
    }
    None
}

#[deny(clippy::missing_trait_methods)]
impl Run for Circles<'_> {
    forward_questions! { inner }

    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        self.inner.step(process, choices, event);
        let choices = event.choices.iter().map(|choice| choice.value).collect();
        self.path.push(Scheduled { process, choices });
        self.halted_by = (event.ending == Ending::Halts).then_some(process);
        if event.ending.cuts_short() {
            self.cut.push((self.path.len(), process));
        }
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        self.inner.conclude(event)
    }

    fn hear(&mut self, heard: Heard) {
        self.inner.hear(heard);
        match heard {
            Heard::Complete => {
                let shows = self.look();
                self.otherwise += u64::from(shows && self.halted_by.is_some());
            }
            Heard::Begun => self.otherwise = 0,
            Heard::Cut | Heard::SetAside | Heard::TakenUp => {}
        }
    }

    fn restart(&mut self) {
        self.inner.restart();
        self.path.clear();
        self.cut.clear();
        self.halted_by = None;
    }
}

#[deny(clippy::missing_trait_methods)]
impl Constraints for Circles<'_> {
    forward_constraints! { inner }
}

#[deny(clippy::missing_trait_methods)]
impl DataRaces for Circles<'_> {
    forward! { inner:
        fn detects_data_races(&self) -> bool;
        fn data_race(&mut self, one: ProcessId, other: ProcessId) -> Option<Fault>;
    }
}

#[deny(clippy::missing_trait_methods)]
impl Imagination for Circles<'_> {
    forward! { inner:
        fn value_before(&self, location: LocationId, step: usize) -> Option<Value>;
        fn imagine(&mut self, values: &[(LocationId, Value)]);
        fn forget(&mut self);
    }
}

impl Machine for Circles<'_> {
    fn steps(&self) -> usize {
        self.inner.steps()
    }

    fn rewind(&mut self, steps: usize) {
        self.inner.rewind(steps);
        if steps < self.path.len() {
            self.halted_by = None;
            self.path.truncate(steps);
            self.cut.retain(|&(after, _)| after <= steps);
        }
    }

    forward! { inner:
        fn effects_since(&mut self, steps: usize) -> Digest;
        fn named_effects_since(&mut self, steps: usize) -> Digest;
    }
}

#[deny(clippy::missing_trait_methods)]
impl Describe for Circles<'_> {
    forward! { inner:
        fn process_name(&self, process: ProcessId) -> String;
        fn process_key(&self, process: ProcessId) -> String;
        fn find_process(&self, name: &str) -> Option<ProcessId>;
        fn location_name(&self, location: LocationId) -> String;
        fn value_text(&self, location: LocationId, value: Value) -> String;
        fn tells_value(&self, location: LocationId) -> bool;
        fn left_text(&self, location: LocationId, value: Value) -> String;
        fn place(&self, site: SiteId) -> Place;
        fn standing(&self, process: ProcessId) -> Option<Place>;
        fn lane(&self, process: ProcessId) -> Option<String>;
        fn rest(&self, process: ProcessId) -> Rest;
        fn waiting_text(&self, process: ProcessId) -> Option<String>;
        fn circle(&self, process: ProcessId) -> Vec<ProcessId>;
        fn fault_place(&self, fault: &Fault) -> Place;
        fn fault_text(&self, fault: &Fault) -> String;
        fn arrival(&self, process: ProcessId) -> Option<Arrival>;
        fn journey(&self, fault: &Fault) -> Option<Journey>;
        fn remarks(&self) -> Vec<String>;
        fn take_ends(&mut self) -> Ends;
        fn output(&self) -> String;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(edges: &[(usize, &[usize])]) -> Vec<Vec<usize>> {
        let number = |&process: &usize| ProcessId::new(process);
        let keepers = edges.iter().map(|(process, kept)| (number(process), kept.iter().map(number).collect()));
        let circles = circles(&keepers.collect());
        circles.iter().map(|circle| circle.iter().map(|process| process.index()).collect()).collect()
    }

    #[test]
    fn every_circle_is_found_whatever_else_a_thread_waits_for() {
        assert_eq!(of(&[(0, &[1]), (1, &[0]), (2, &[0])]), [[0, 1]]);
        // A writer waits for two readers, and one of them for the writer.
        assert_eq!(of(&[(0, &[1, 2]), (1, &[]), (2, &[0])]), [[0, 2]]);
        assert_eq!(of(&[(0, &[1]), (1, &[0]), (2, &[3]), (3, &[2])]), [[0, 1], [2, 3]]);
        assert_eq!(of(&[(0, &[1]), (1, &[2]), (2, &[])]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn who_waits_for_somebody_who_has_ended_waits_for_ever() {
        assert_eq!(of(&[(0, &[5]), (1, &[0])]), [[0]]);
        assert_eq!(of(&[(3, &[3])]), [[3]]);
    }
}
