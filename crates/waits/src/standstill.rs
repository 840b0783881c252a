//! What happened, and what the analysis foresaw: who is to blame for a standstill.

use mazurka_machine::Place;
use mazurka_trace::{ProcessId, Violation, Waiting};

use crate::analysis::{Analysis, Cycle, CycleKind, Step};

/// Who is to blame for a standstill.
#[derive(Clone, Debug)]
pub enum Blame<'a> {
    /// Those who wait for each other in a circle, or for a lock of somebody who has ended.
    Locks(Vec<&'a Waiting>),
    /// Everybody who waits: some of them for a communication.
    Everybody(Vec<&'a Waiting>),
}

impl<'a> Blame<'a> {
    /// Who is to blame for the standstill at the end of an execution.
    pub fn of(violation: &'a Violation) -> Self {
        let find = |process: ProcessId| violation.waiting.iter().find(|waiting| waiting.process == process);
        for start in &violation.waiting {
            let mut path = vec![start];
            while let Some(next) = path.last().and_then(|last| last.holder).and_then(find) {
                if let Some(at) = path.iter().position(|known| known.process == next.process) {
                    return Blame::Locks(path.split_off(at));
                }
                path.push(next);
            }
        }
        let has_ended = |holder: ProcessId| find(holder).is_none();
        let kept = violation.waiting.iter().filter(|waiting| waiting.holder.is_some_and(has_ended));
        let kept: Vec<&Waiting> = kept.collect();
        if kept.is_empty() { Blame::Everybody(violation.waiting.iter().collect()) } else { Blame::Locks(kept) }
    }

    /// Those who wait.
    pub fn waiting(&self) -> &[&'a Waiting] {
        match self {
            Blame::Locks(waiting) | Blame::Everybody(waiting) => waiting,
        }
    }
}

impl Analysis {
    /// The cycles that a standstill is an instance of: who stands where, by name.
    pub fn met_by(&self, standing: &[(String, Place)]) -> Vec<usize> {
        (0..self.cycles.len()).filter(|&number| self.is_met(&self.cycles[number], standing)).collect()
    }

    /// The circles that are part of a standstill in which not everybody is known to wait for
    /// somebody: who stands where, by name, and whether one of them may wait for another one.
    pub fn met_within(&self, standing: &[(String, Place)], may_wait_for: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        let is_met = |&number: &usize| {
            let cycle = &self.cycles[number];
            cycle.kind == CycleKind::Circle
                && (0..standing.len()).any(|first| self.is_met_from(cycle, standing, first, &may_wait_for))
        };
        (0..self.cycles.len()).filter(is_met).collect()
    }

    /// Whether somebody else stands at each place of a cycle, beginning with this one.
    fn is_met_from(
        &self,
        cycle: &Cycle,
        standing: &[(String, Place)],
        first: usize,
        may_wait_for: &impl Fn(usize, usize) -> bool,
    ) -> bool {
        let mut chosen: Vec<usize> = Vec::new();
        for step in &self.steps(cycle) {
            let fits = |&number: &usize| {
                let (name, place) = &standing[number];
                !chosen.contains(&number)
                    && is_at(step, name, place)
                    && chosen.last().map_or(number == first, |&last| may_wait_for(last, number))
            };
            let Some(next) = (0..standing.len()).find(fits) else { return false };
            chosen.push(next);
        }
        chosen.last().is_some_and(|&last| may_wait_for(last, first))
    }

    /// Whether somebody stands at a place of a cycle: by name, and where.
    pub fn stands_in(&self, cycle: &Cycle, name: &str, place: &Place) -> bool {
        self.steps(cycle).iter().any(|step| is_at(step, name, place))
    }

    /// Whether each edge of a cycle has somebody who stands there.
    fn is_met(&self, cycle: &Cycle, standing: &[(String, Place)]) -> bool {
        let steps = self.steps(cycle);
        let is_there = |step: &Step| standing.iter().any(|(name, place)| is_at(step, name, place));
        // A circle of several locks with one description is one of fewer edges here.
        let fits = if self.is_exact(cycle) { steps.len() == standing.len() } else { steps.len() <= standing.len() };
        (cycle.kind == CycleKind::Kept || fits) && steps.iter().all(is_there)
    }
}

/// A thread that others create has one description, whatever its number.
fn is_at(step: &Step, name: &str, place: &Place) -> bool {
    let is_it = name == step.task || step.task.contains('@');
    let point = &step.point;
    is_it && (place.line, place.column, &place.file) == (point.line, point.column, &point.file)
}
