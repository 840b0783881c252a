//! What a waiting step could have run without: one event after the other is left out.

use mazurka_machine::Machine;
use mazurka_trace::{EventId, LocationId};

use super::Waits;
use crate::order::Order;
use crate::search::Search;

impl Waits {
    pub(super) fn begin<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, second: EventId) {
        search.execution.rivals(second, &mut self.rivals);
        self.queue.clear();
        self.accepted.clear();
        self.waiting.clear();
        for &rival in &self.rivals {
            search.pick.note_racy(&search.execution, rival, second);
            if search.cursor.machine.detects_data_races() {
                search.check_data_race(rival, second);
            }
            self.queue.push(vec![rival]);
        }
    }

    /// Whether the step could run already with fewer events left out: then more is found when that
    /// has been explored.
    pub(super) fn is_accepted<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>, removed: &[EventId]) -> bool {
        self.accepted.iter().any(|fewer| fewer.iter().all(|&gone| search.execution.is_removed(gone, removed)))
    }

    /// The step still waits with these left out: leaves out one more of those whose values it
    /// reads.
    pub(super) fn go_on<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        second: EventId,
        removed: Vec<EventId>,
    ) {
        let execution = &search.execution;
        let read = self.attempt.accesses.iter().filter(|access| access.kind.observes());
        let read: Vec<LocationId> = read.map(|access| access.location).collect();
        let sources = search.order.sources(execution, &read, second, &removed);
        let known = self
            .waiting
            .iter()
            .any(|(same, fewer)| *same == sources && fewer.iter().all(|&gone| execution.is_removed(gone, &removed)));
        if known {
            return;
        }
        for &source in sources.iter().flatten() {
            let mut more: Vec<EventId> =
                removed.iter().copied().filter(|&gone| !execution.happens_before(source, gone)).collect();
            more.push(source);
            more.sort_unstable();
            if !self.queue.contains(&more) {
                self.queue.push(more);
            }
        }
        self.waiting.push((sources, removed));
    }
}
