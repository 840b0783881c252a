//! Two writes are ordered only if somebody observes what the later one leaves.
//!
//! [`crate::execution`] computes the order when an execution is at its end; [`super::watched`] has
//! what sleeps on a condition; what was found out about who observes what is the cursor's, since it
//! changes how events are seen ([`crate::cursor::Known`]).

use mazurka_machine::{Independence, Machine};
use mazurka_relation::{Dependence, Footprint, Footprints};
use mazurka_trace::{Access, AccessKind, Event, EventId, LocationId, ProcessId, SiteId};

use super::inner::{Inner, common};
use super::watched::Watching;
use super::{ByConflict, Order, Removal, Restart, Watched};
use crate::choices::ChoiceId;
use crate::cursor::Cursor;
use crate::execution::{Again, Cut, Execution, Leaf};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::sleep::{Sleep, Sleeper};

/// Two writes are ordered only if somebody observes what the later one leaves. Known when the
/// execution is at its end.
#[derive(Debug, Default)]
pub(crate) struct ByObservation {
    /// What was accessed when the current execution was over.
    finale: Vec<Access>,
    /// The current execution was cut: who knows what would have been observed?
    is_cut: bool,
    watching: Watching,
}

impl<M: Machine> Order<M> for ByObservation {
    fn is_known_at_once(&self) -> bool {
        false
    }

    fn is_total(&self) -> bool {
        true
    }

    fn orders_writes(&self) -> bool {
        false
    }

    fn begin_again(&mut self) {
        *self = Self::default();
    }

    fn push(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, choice: ChoiceId, footprint: Footprint) {
        execution.push(&cursor.event, choice, footprint);
    }

    fn push_virtual(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, event: &Event) {
        ByConflict.push_virtual(cursor, execution, event);
    }

    fn end(&mut self, leaf: Leaf) {
        self.finale.clear();
        self.is_cut = leaf != Leaf::Complete;
        if self.is_cut {
            let location = LocationId::new(0);
            self.finale.push(Access { location, kind: AccessKind::Halt, before: 0, after: 0 });
        }
    }

    fn conclude(&mut self, accesses: &[Access]) {
        self.finale.extend_from_slice(accesses);
    }

    fn settle(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, cut: Option<Cut>) -> usize {
        execution.reorder(&self.finale, cut, cursor.pace.monitor)
    }

    fn settle_so_far(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution) {
        let before = execution.begin_order_so_far();
        execution.order_from(0, cursor.pace.monitor);
        execution.end_order_so_far(before);
    }

    /// That counts as observed when it is written.
    fn see_disabled_steps(&mut self, cursor: &mut Cursor<'_, M>, disabled_steps: &[Event]) {
        disabled_steps.iter().for_each(|disabled_step| cursor.known.learn(&disabled_step.accesses));
    }

    /// If the step reads something else there, the order of the writes of that is not to be left
    /// open: it was explored as if nobody observed it.
    fn see_variants(&mut self, cursor: &mut Cursor<'_, M>, was: Footprint, now: &[Variant]) {
        let Cursor { names, known, .. } = cursor;
        let reads =
            |footprint| names.footprints.list(footprint).filter(|(_, kind)| kind.observes() && !kind.is_mutex());
        for variant in now.iter().filter(|variant| variant.footprint != was) {
            for (location, _) in reads(variant.footprint) {
                if reads(was).all(|(known, _)| known != location) && !mutation::on(Mutation::NobodyVaries) {
                    known.learn_location(location);
                }
            }
        }
    }

    /// Everything, where the execution was cut.
    fn see_finale(&mut self, cursor: &mut Cursor<'_, M>) -> Footprint {
        let finale = if self.is_cut { Footprint::HALT } else { cursor.last_word() };
        let Cursor { names, known, .. } = cursor;
        let read = names.footprints.list(finale).filter(|(_, kind)| kind.observes() && !kind.is_mutex());
        for (location, _) in read {
            if !self.is_cut && self.finale.iter().all(|access| access.location != location) {
                known.learn_location(location);
            }
        }
        finale
    }

    fn found_out(&self, cursor: &Cursor<'_, M>) -> Option<Restart> {
        cursor.known.has_learned().then_some(Restart::Observers)
    }

    fn tell_unordered(&mut self, _: &mut dyn FnMut(SiteId, SiteId)) {}

    fn add_unordered(&self, _: &Footprints, _: &Execution, _: Removal<'_>, _: &mut Vec<EventId>) -> bool {
        false
    }

    fn is_open(&mut self, _: &mut Cursor<'_, M>, _: &Execution, _: Removal<'_>, _: &[EventId]) -> bool {
        false
    }

    fn sources(
        &self,
        execution: &Execution,
        locations: &[LocationId],
        waiting: EventId,
        removed: &[EventId],
    ) -> Vec<Option<EventId>> {
        Order::<M>::sources(&ByConflict, execution, locations, waiting, removed)
    }

    fn orders_all_uses_of(&self, cursor: &Cursor<'_, M>, execution: &Execution, event: EventId) -> bool {
        execution.links_of(event).iter().all(|link| cursor.known.orders(link.location))
    }

    fn independence(&self, _: &mut Cursor<'_, M>, _: ProcessId, _: ProcessId) -> Independence {
        Independence::Unknown
    }

    /// A don't-do sequence holds in its place only.
    fn wake(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        _: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper> {
        let event = execution.last().expect("a step was taken");
        self.watching.descend(event, &cursor.names.footprints, sleep, &[]);
        Vec::new()
    }

    fn ascend(&mut self) {
        self.watching.ascend();
    }

    fn watched(&self, node: usize) -> &[Watched] {
        self.watching.at(node)
    }

    fn was_seen(&self, cursor: &mut Cursor<'_, M>, execution: &Execution) -> bool {
        if !self.watching.is_watching() {
            return false;
        }
        let steps = cursor.machine.steps();
        let regular = cursor.machine.live().is_empty() && !execution.is_cut_short();
        let finale = if regular { cursor.last_word() } else { Footprint::EMPTY };
        cursor.machine.rewind(steps);
        self.watching.has_been_explored(finale, &cursor.names.footprints)
    }
}

impl<M: Machine> Inner<M> for ByObservation {
    /// Both merely write the same, or one merely writes what the other one reads.
    fn decides(&self, footprints: &Footprints, one: Footprint, other: Footprint) -> bool {
        let mut common = common(footprints, one, other);
        common.any(|(_, kind, other)| (kind == AccessKind::Write) != (other == AccessKind::Write))
            || footprints.dependence(one, other) == Dependence::IfObserved
    }

    /// What decided, and what both use, counts as observed when it is written. Otherwise nobody
    /// would know who observes the writes of that: a step can pass on what it reads to one that it
    /// is not ordered with.
    fn leave_unordered(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        [one, other]: [Footprint; 2],
        decisive: &[LocationId],
        looked_at: &mut Vec<LocationId>,
    ) {
        let Cursor { names, known, .. } = cursor;
        let common = common(&names.footprints, one, other).map(|(location, ..)| location);
        for location in decisive.iter().copied().chain(common) {
            if looked_at.contains(&location) || mutation::on(Mutation::NobodyLeavesUnordered) {
                continue;
            }
            looked_at.push(location);
            if execution.is_merely_written(location) {
                known.learn_location(location);
            }
        }
    }

    fn excuses(&self, footprints: &Footprints, execution: &Execution, one: EventId, other: EventId) -> bool {
        execution.is_unobserved(one, other, footprints)
    }

    /// The order of the events is known when the execution is at its end; until then, by cause.
    fn is_surely_before(&self, execution: &Execution, one: EventId, other: EventId) -> bool {
        execution.is_cause(one, other)
    }

    fn begin_to_settle(&mut self, execution: &mut Execution, cut: Option<Cut>) -> Again {
        execution.begin_reorder(&self.finale, cut)
    }

    /// Who is watched is known better than who sleeps: a cut by a sleep set leaves open what would
    /// have been observed. A don't-do sequence holds in its place only.
    fn could_sleep_on(
        &self,
        footprints: &Footprints,
        event: Footprint,
        sleep: &Sleep,
        _: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper> {
        let such = |step: &&Sleeper| {
            step.reason.is_explored() && !Inner::<M>::decides(self, footprints, step.footprint, event)
        };
        sleep.top().iter().filter(such).copied().collect()
    }

    fn wake_but(
        &mut self,
        cursor: &Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        independent: Vec<Sleeper>,
    ) -> Vec<Sleeper> {
        let event = execution.last().expect("a step was taken");
        self.watching.descend(event, &cursor.names.footprints, sleep, &independent);
        Vec::new()
    }
}
