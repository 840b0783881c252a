//! What is left out, and why: for `mazurka check --explain`.
//!
//! Orders of steps that are known to commute uniformly are not tried at all: who they are is
//! remarked once. An exploration that compares states leaves out an order of a race when both
//! orders lead to the same state. It explains each comparison, each execution, and for each
//! exploration that was cut the comparisons that cut it. Nothing of this is kept unless somebody
//! requests it.

use std::collections::{HashMap, HashSet};

use mazurka_trace::{Comparison, EventId, Explanation, ProcessId, SiteId};

use crate::execution::{Execution, Leaf};
use crate::listener::{Compared, Listener};

/// The explanations so far.
#[derive(Debug, Default)]
pub(crate) struct Explanations {
    all: Vec<Explanation>,
    /// The numbers of the comparisons, which themselves have none here.
    compared: HashMap<Comparison, usize>,
    /// The pairs of sites whose steps were left unordered.
    unordered: HashSet<[SiteId; 2]>,
}

impl Explanations {
    /// All of them.
    pub(crate) fn into_all(self) -> Vec<Explanation> {
        self.all
    }
}

impl Listener for &mut Explanations {
    fn begin_again(&mut self) {
        **self = Explanations::default();
    }

    fn leave_unordered(&mut self, one: SiteId, other: SiteId) {
        let sites = [one.min(other), one.max(other)];
        if self.unordered.insert(sites) {
            self.all.push(Explanation::Unordered { sites });
        }
    }

    fn end(&mut self, execution: &Execution, leaf: Leaf) {
        let schedule = schedule(execution, execution.len());
        self.all.push(match leaf {
            Leaf::Complete => Explanation::Explored { schedule },
            Leaf::Blocked => Explanation::Cut { schedule, because: Vec::new(), asleep: Vec::new() },
            Leaf::TooLong => return,
        });
    }

    fn compare(&mut self, execution: &Execution, race: &Compared<'_>) -> usize {
        let named = |event: EventId| {
            let process = execution.record(event).process;
            let own = (0..=event.index()).map(|at| execution.record(EventId::new(at)));
            (process, own.filter(|record| record.process == process && !record.is_local).count())
        };
        let process = |event: EventId| execution.record(event).process;
        let visible = |events: Vec<EventId>| -> Vec<ProcessId> {
            events.into_iter().filter(|&event| !execution.record(event).is_local).map(process).collect()
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
        let Explanations { compared, all, .. } = &mut **self;
        *compared.entry(comparison).or_insert_with_key(|comparison| {
            all.push(Explanation::Compared(Comparison { number, ..comparison.clone() }));
            number
        })
    }

    fn explain_cut(&mut self, comparisons: Vec<usize>, sleepers: &mut dyn FnMut() -> Vec<(ProcessId, usize)>) {
        if let Some(Explanation::Cut { because, asleep, .. }) = self.all.last_mut() {
            *because = comparisons;
            if because.is_empty() {
                *asleep = sleepers();
            }
        }
    }
}

fn schedule(execution: &Execution, end: usize) -> Vec<ProcessId> {
    let records = (0..end).map(|at| execution.record(EventId::new(at)));
    records.filter(|record| !record.is_local).map(|record| record.process).collect()
}

pub(crate) fn visible(execution: &Execution, end: usize) -> usize {
    (0..end).filter(|&at| !execution.record(EventId::new(at)).is_local).count()
}
