//! What is left out, and why: for `mazurka check --explain`.
//!
//! Orders of steps that are known to commute uniformly are not tried at all: who they are is
//! remarked once. An exploration that compares states leaves out an order of a race when both
//! orders lead to the same state. It explanations each comparison, each execution, and for each
//! exploration that was cut the comparisons that cut it. Nothing of this is kept unless somebody
//! requests it.

use std::collections::{HashMap, HashSet};

use mazurka_trace::{Access, Check, Comparison, EventId, Explanation, ProcessId, SiteId};

use crate::execution::{Execution, Leaf};

/// The explanations so far.
#[derive(Debug, Default)]
pub(crate) struct Explanations {
    all: Vec<Explanation>,
    /// The numbers of the comparisons, which themselves have none here.
    compared: HashMap<Comparison, usize>,
    /// The pairs of sites whose steps were left unordered.
    unordered: HashSet<[SiteId; 2]>,
}

/// A race that was compared.
pub(crate) struct Compared<'a> {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    pub(crate) observed: bool,
    /// What ran between the two and is needed for the second.
    pub(crate) before: &'a [EventId],
    /// In the order that was explored, that comes after the first.
    pub(crate) begins: bool,
    pub(crate) same: bool,
    pub(crate) check: Check,
    pub(crate) used: &'a [Vec<(ProcessId, Vec<Access>)>; 2],
}

impl Explanations {
    /// All of them.
    pub(crate) fn into_all(self) -> Vec<Explanation> {
        self.all
    }

    /// Steps from two sites are known to commute uniformly.
    pub(crate) fn leave_unordered(&mut self, one: SiteId, other: SiteId) {
        let sites = [one.min(other), one.max(other)];
        if self.unordered.insert(sites) {
            self.all.push(Explanation::Unordered { sites });
        }
    }

    /// An exploration has come to its end.
    pub(crate) fn end(&mut self, execution: &Execution, leaf: Leaf) {
        let schedule = schedule(execution, execution.len());
        self.all.push(match leaf {
            Leaf::Complete => Explanation::Explored { schedule },
            Leaf::Blocked => Explanation::Cut { schedule, because: Vec::new(), asleep: Vec::new() },
            Leaf::TooLong => return,
        });
    }

    /// Both orders of a race were compared. Gives the comparison's number; one that was made before
    /// has it already.
    pub(crate) fn compare(&mut self, execution: &Execution, race: &Compared<'_>) -> usize {
        let named = |event: EventId| {
            let process = execution.record(event).process;
            let own = (0..=event.index()).map(|at| execution.record(EventId::new(at)));
            (process, own.filter(|record| record.process == process && !record.internal).count())
        };
        let process = |event: EventId| execution.record(event).process;
        let visible = |events: Vec<EventId>| -> Vec<ProcessId> {
            events.into_iter().filter(|&event| !execution.record(event).internal).map(process).collect()
        };
        let Compared { first, second, before, .. } = *race;
        let explored = if race.begins { [&[first], before].concat() } else { [before, &[first]].concat() };
        let comparison = Comparison {
            number: 0,
            first: named(first),
            second: named(second),
            observed: race.observed,
            after: schedule(execution, first.index()),
            explored: visible([&explored[..], &[second]].concat()),
            reversed: visible([before, &[second, first]].concat()),
            same: race.same,
            check: race.check,
            used: race.used.clone(),
        };
        let number = self.compared.len() + 1;
        *self.compared.entry(comparison).or_insert_with_key(|comparison| {
            self.all.push(Explanation::Compared(Comparison { number, ..comparison.clone() }));
            number
        })
    }

    /// Why the exploration that has just come to its end was cut, if it was.
    pub(crate) fn explain_cut(&mut self, forbidding: Vec<usize>, sleepers: impl FnOnce() -> Vec<(ProcessId, usize)>) {
        if let Some(Explanation::Cut { because, asleep, .. }) = self.all.last_mut() {
            *because = forbidding;
            if because.is_empty() {
                *asleep = sleepers();
            }
        }
    }
}

fn schedule(execution: &Execution, end: usize) -> Vec<ProcessId> {
    let records = (0..end).map(|at| execution.record(EventId::new(at)));
    records.filter(|record| !record.internal).map(|record| record.process).collect()
}

pub(crate) fn visible(execution: &Execution, end: usize) -> usize {
    (0..end).filter(|&at| !execution.record(EventId::new(at)).internal).count()
}
