//! What a waiting step could have run without: one event after the other is left out.

use mazurka_machine::Machine;
use mazurka_trace::{Event, EventId, LocationId};

use super::{Races, bound, could_differ, retain_dependent};
use crate::execution::Race;
use crate::mutation::{self, Mutation};
use crate::order::Order;
use crate::search::Search;

/// The search for states in which a waiting step could have run.
#[derive(Default)]
pub(super) struct Waits {
    pub(super) rivals: Vec<EventId>,
    /// Sets of events to leave out, with all that happens after them.
    pub(super) queue: Vec<Vec<EventId>>,
    /// Those without which the step could run.
    pub(super) accepted: Vec<Vec<EventId>>,
    /// Those without which it still waits, with the events whose values it reads then.
    waiting: Vec<(Vec<Option<EventId>>, Vec<EventId>)>,
    pub(super) disabled_step: Event,
    pub(super) imagined: bound::Imagined,
}

/// So many sets of events are left out to find out what a waiting step could have run without,
/// where events that use the same location need not be ordered.
pub(super) const MOST_TRIALS: usize = 256;

impl Races {
    /// A waiting event: finds out what it could have run without.
    pub(super) fn analyse_wait<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, second: EventId) {
        let footprint = search.execution.record(second).footprint;
        let varies = could_differ(search, &Race { first: None, second }, self.exact);
        self.waits.begin(search, second);
        let mut at = 0;
        while at < self.waits.queue.len() {
            if !search.order.is_total() && self.waits.queue.len() > MOST_TRIALS {
                return self.give_up(search, second);
            }
            let removed = std::mem::take(&mut self.waits.queue[at]);
            at += 1;
            if self.waits.is_accepted(search, &removed) {
                continue;
            }
            if !self.try_without(search, second, &removed, varies) {
                return;
            }
            let Races { waits, variants, reversals, .. } = self;
            search.order.see_variants(&mut search.cursor, footprint, variants);
            if !variants.is_empty() {
                let first = *removed.iter().min().expect("something is removed");
                retain_dependent(search, first, variants);
                if !variants.is_empty() {
                    reversals.push(second, &removed, variants, varies);
                }
                waits.accepted.push(removed);
            } else if !mutation::on(Mutation::OnlyLatestRival) {
                waits.go_on(search, second, removed);
            }
        }
    }

    /// Finds out what a waiting event could be without these: its variants; or, if there are none,
    /// what it waits for. False where it is late.
    fn try_without<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        second: EventId,
        removed: &[EventId],
        varies: bool,
    ) -> bool {
        let Races { waits, variants, .. } = self;
        let process = search.execution.record(second).process;
        let first = removed.iter().min().expect("something is removed").index();
        let end = if varies { search.execution.len() } else { second.index() };
        let mut past = !varies && search.order.is_known_at_once() && !search.cursor.sets_aside();
        loop {
            if past {
                search.cursor.replay_past_without(&search.execution, removed, second);
            } else {
                search.cursor.replay_without(&search.execution, removed, second, end);
            }
            if search.is_late() {
                return false;
            }
            search.cursor.variants(process, variants);
            if variants.is_empty() {
                search.cursor.machine.disabled_step(process, &mut waits.disabled_step);
                search.order.see_disabled_steps(&mut search.cursor, std::slice::from_ref(&waits.disabled_step));
            }
            search.cursor.machine.rewind(first);
            // One that waited may have stopped at the first of several conditions: then others than
            // those of its past count, too.
            if !past || !waits.reads_more(search, second, variants) {
                return true;
            }
            past = false;
        }
    }

    /// There are too many sets of events to leave out: whatever could have been done instead of one
    /// of them is requested.
    #[cold]
    fn give_up<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, second: EventId) {
        let locations: Vec<_> = self.waits.disabled_step.accesses.iter().map(|access| access.location).collect();
        let mut sources: Vec<EventId> =
            locations.iter().flat_map(|&location| search.execution.sources(location, second, &[])).collect();
        sources.extend_from_slice(&self.waits.rivals);
        sources.sort_unstable();
        sources.dedup();
        for source in sources.into_iter().filter(|&source| source < second) {
            self.reversals.push(second, &[source], &[], true);
        }
    }
}

impl Waits {
    pub(super) fn begin<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, second: EventId) {
        search.execution.rivals(second, &mut self.rivals);
        self.queue.clear();
        self.accepted.clear();
        self.waiting.clear();
        for &rival in &self.rivals {
            search.pick.note_racy(&search.execution, rival, second);
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
        let read = self.disabled_step.accesses.iter().filter(|access| access.kind.observes());
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
