//! Which events are ordered, and when that is known.
//!
//! - *By conflict*: any two events that use the same location, not both by reading. Known as soon
//!   as an event is entered: [`crate::execution`].
//! - *By observation*: two writes only if somebody reads what the later one leaves. Known when an
//!   execution is at its end: [`crate::execution`] computes it, [`observers`] says how steps sleep.
//! - *By constraint*: not those that are known to commute uniformly. [`constraint`] has the
//!   argument, also for both together.

mod constraint;
mod observers;

pub(crate) use observers::{Cover, Observers, Watched};

use mazurka_machine::Machine;
use mazurka_relation::{Dependence, Footprint, Footprints};
use mazurka_trace::{AccessKind, Event, EventId, LocationId};

use crate::choices::ChoiceId;
use crate::execution::{Again, Cut};
use crate::mutation::{self, Mutation};
use crate::search::Search;

impl<M> Search<'_, M> {
    /// Whether the order of the events is known only when the execution is at its end.
    #[inline]
    pub(crate) fn orders_at_end(&self) -> bool {
        self.cursor.observed.is_some()
    }

    /// Whether any two events that conflict are ordered, when the order is known.
    #[inline]
    pub(crate) fn orders_all_conflicts(&self) -> bool {
        !self.constraints.are_used
    }
}

impl<M: Machine> Search<'_, M> {
    /// Adds to the events that are removed, the first of which is the first of a race, those that
    /// conflict with its second event and are not ordered with it. Tells whether there are such.
    #[inline]
    pub(crate) fn add_unordered(&self, removed: &[EventId], second: EventId, unordered: &mut Vec<EventId>) -> bool {
        if self.orders_all_conflicts() || mutation::on(Mutation::UncertainOrder) {
            return false;
        }
        unordered.clear();
        unordered.extend_from_slice(removed);
        self.add_all_unordered(second, unordered);
        unordered.len() > removed.len()
    }

    #[cold]
    fn add_all_unordered(&self, second: EventId, unordered: &mut Vec<EventId>) {
        let execution = &self.execution;
        let first = unordered.iter().min().expect("something is removed").index();
        for event in (first + 1..execution.len()).map(EventId::new) {
            let is_unordered = !execution.happens_before(event, second) && !execution.happens_before(second, event);
            if is_unordered && self.conflict(event, second) && !execution.is_removed(event, unordered) {
                unordered.push(event);
            }
        }
    }

    /// Whether some of those that were added are not ordered with the second event because of what
    /// was removed before: then it is open which comes first.
    pub(crate) fn is_open(&mut self, removed: &[EventId], second: EventId, unordered: &[EventId]) -> bool {
        unordered[removed.len()..].iter().any(|&event| self.commute_because_of(event, second, removed))
    }

    /// Who gave locations the values that an attempt at the waiting event reads, if the events that
    /// happen after one of `removed` had not run. What one event wrote can depend on others that it
    /// is not ordered with: then these count, too.
    pub(crate) fn sources(
        &self,
        locations: impl Iterator<Item = LocationId>,
        waiting: EventId,
        removed: &[EventId],
    ) -> Vec<Option<EventId>> {
        let execution = &self.execution;
        if self.orders_all_conflicts() {
            return locations.map(|location| execution.source(location, waiting, removed)).collect();
        }
        locations.flat_map(|location| execution.sources(location, waiting, removed)).map(Some).collect()
    }

    /// Enters the event in the buffer into the execution.
    #[inline(always)]
    pub(crate) fn push(&mut self, choice: ChoiceId, footprint: Footprint) {
        if self.constraints.are_used {
            return self.push_constrained(choice, footprint);
        }
        self.execution.push(&self.cursor.event, choice, footprint);
    }

    /// Enters an attempt into the execution, for its races to be found. It is to be taken back at
    /// once.
    pub(crate) fn push_attempt(&mut self, attempt: &Event) {
        let footprint = self.cursor.names.footprints.of(attempt.site, &attempt.accesses);
        if self.constraints.are_used {
            return self.push_attempt_constrained(attempt, footprint);
        }
        self.execution.push(attempt, ChoiceId::NONE, footprint);
    }

    /// Whether all writes of the locations that an event uses are in an order, whoever observes
    /// them.
    pub(crate) fn orders_all_uses_of(&self, event: EventId) -> bool {
        let Some(observed) = &self.cursor.observed else { return true };
        self.execution.links_of(event).iter().all(|link| observed.orders(link.location))
    }

    /// Orders the execution by who observes what, if that counts. Gives the number of events that
    /// are as they were the last time.
    pub(crate) fn reorder(&mut self, cut: Option<Cut>) -> usize {
        let finale = self.cursor.observed.as_ref().map_or(&[][..], |observed| &observed.finale);
        if !self.constraints.are_used {
            return self.execution.reorder(finale, cut, self.cursor.pace.monitor);
        }
        let Again { position, stable } = self.execution.begin_reorder(finale, cut);
        self.reorder_constrained(position);
        stable
    }

    /// Orders all events so far by who has observed what.
    pub(crate) fn order_so_far(&mut self) {
        let before = self.execution.begin_order_so_far();
        if self.constraints.are_used {
            let event = std::mem::take(&mut self.cursor.event);
            self.reorder_constrained(0);
            self.seek(self.execution.len());
            self.cursor.event = event;
        } else {
            self.execution.order_from(0, self.cursor.pace.monitor);
        }
        self.execution.end_order_so_far(before);
    }

    /// Whether the order of two steps is a matter of who observes what, and not of constraints:
    /// both merely write the same, or one merely writes what the other one reads.
    pub(crate) fn is_left_to_observers(&self, one: Footprint, other: Footprint) -> bool {
        let mut common = common(&self.cursor.names.footprints, one, other);
        common.any(|(_, kind, other)| (kind == AccessKind::Write) != (other == AccessKind::Write))
            || self.cursor.names.footprints.dependence(one, other) == Dependence::IfObserved
    }

    /// Constraints leave two steps unordered: what decided, and what both use, counts as observed
    /// when it is written. Otherwise nobody would know who observes the writes of that: a step can
    /// pass on what it reads to one that it is not ordered with.
    pub(crate) fn learn_from_unordered(&mut self, one: Footprint, other: Footprint) {
        let Search { cursor, constraints, execution, .. } = self;
        let Some(observed) = &mut cursor.observed else { return };
        let common = common(&cursor.names.footprints, one, other).map(|(location, ..)| location);
        for location in constraints.decisive.iter().copied().chain(common) {
            if observed.looked_at.contains(&location) || mutation::on(Mutation::NobodyLeavesUnordered) {
                continue;
            }
            observed.looked_at.push(location);
            if execution.is_merely_written(location) {
                observed.learn_location(location);
            }
        }
    }
}

/// The locations that two steps use, not both by reading, and how each does.
fn common(
    footprints: &Footprints,
    one: Footprint,
    other: Footprint,
) -> impl Iterator<Item = (LocationId, AccessKind, AccessKind)> + '_ {
    footprints.list(one).flat_map(move |(location, kind)| {
        let same = footprints.list(other).filter(move |&(known, _)| known == location);
        same.filter(move |(_, other)| !kind.is_read() || !other.is_read())
            .map(move |(_, other)| (location, kind, other))
    })
}
