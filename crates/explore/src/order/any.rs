//! An order that is known when an exploration begins.
//!
//! Engines for which nothing but speed counts are compiled for [`ByConflict`]; the others for any
//! order, so that there are not as many copies of each as there are orders.

use mazurka_machine::{Independence, Machine};
use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{Access, Event, EventId, LocationId, ProcessId, SiteId};

use super::{ByConflict, ByConstraint, ByObservation, Order, Removal, Restart, Watched};
use crate::choices::ChoiceId;
use crate::cursor::Cursor;
use crate::execution::{Cut, Execution, Leaf};
use crate::names::Variant;
use crate::plan::Parts;
use crate::sleep::{Sleep, Sleeper};

/// Any order.
pub(crate) type AnyOrder<M> = Box<dyn Order<M>>;

/// An order that a plan can ask for.
pub(crate) trait Planned {
    /// The one that is part of these.
    fn by(parts: Parts) -> Self;
}

impl Planned for ByConflict {
    fn by(_: Parts) -> Self {
        ByConflict
    }
}

impl<M: Machine> Planned for AnyOrder<M> {
    fn by(parts: Parts) -> Self {
        match (parts.observers, parts.constraints) {
            (false, false) => Box::new(ByConflict),
            (true, false) => Box::new(ByObservation::default()),
            (false, true) => Box::new(ByConstraint::<ByConflict>::default()),
            (true, true) => Box::new(ByConstraint::<ByObservation>::default()),
        }
    }
}

impl<M: Machine> Order<M> for AnyOrder<M> {
    fn is_known_at_once(&self) -> bool {
        (**self).is_known_at_once()
    }

    fn is_total(&self) -> bool {
        (**self).is_total()
    }

    fn orders_writes(&self) -> bool {
        (**self).orders_writes()
    }

    fn begin_again(&mut self) {
        (**self).begin_again()
    }

    fn push(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, choice: ChoiceId, footprint: Footprint) {
        (**self).push(cursor, execution, choice, footprint)
    }

    fn push_virtual(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, event: &Event) {
        (**self).push_virtual(cursor, execution, event)
    }

    fn end(&mut self, leaf: Leaf) {
        (**self).end(leaf)
    }

    fn conclude(&mut self, accesses: &[Access]) {
        (**self).conclude(accesses)
    }

    fn settle(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, cut: Option<Cut>) -> usize {
        (**self).settle(cursor, execution, cut)
    }

    fn settle_so_far(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution) {
        (**self).settle_so_far(cursor, execution)
    }

    fn see_disabled_steps(&mut self, cursor: &mut Cursor<'_, M>, disabled_steps: &[Event]) {
        (**self).see_disabled_steps(cursor, disabled_steps)
    }

    fn see_variants(&mut self, cursor: &mut Cursor<'_, M>, was: Footprint, now: &[Variant]) {
        (**self).see_variants(cursor, was, now)
    }

    fn see_finale(&mut self, cursor: &mut Cursor<'_, M>) -> Footprint {
        (**self).see_finale(cursor)
    }

    fn found_out(&self, cursor: &Cursor<'_, M>) -> Option<Restart> {
        (**self).found_out(cursor)
    }

    fn tell_unordered(&mut self, hear: &mut dyn FnMut(SiteId, SiteId)) {
        (**self).tell_unordered(hear)
    }

    fn add_unordered(
        &self,
        footprints: &Footprints,
        execution: &Execution,
        without: Removal<'_>,
        unordered: &mut Vec<EventId>,
    ) -> bool {
        (**self).add_unordered(footprints, execution, without, unordered)
    }

    fn is_open(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        without: Removal<'_>,
        unordered: &[EventId],
    ) -> bool {
        (**self).is_open(cursor, execution, without, unordered)
    }

    fn sources(
        &self,
        execution: &Execution,
        locations: &[LocationId],
        waiting: EventId,
        removed: &[EventId],
    ) -> Vec<Option<EventId>> {
        (**self).sources(execution, locations, waiting, removed)
    }

    fn orders_all_uses_of(&self, cursor: &Cursor<'_, M>, execution: &Execution, event: EventId) -> bool {
        (**self).orders_all_uses_of(cursor, execution, event)
    }

    fn independence(&self, cursor: &mut Cursor<'_, M>, one: ProcessId, other: ProcessId) -> Independence {
        (**self).independence(cursor, one, other)
    }

    fn wake(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        pending: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper> {
        (**self).wake(cursor, execution, sleep, pending)
    }

    fn ascend(&mut self) {
        (**self).ascend()
    }

    fn watched(&self, node: usize) -> &[Watched] {
        (**self).watched(node)
    }

    fn was_seen(&self, cursor: &mut Cursor<'_, M>, execution: &Execution) -> bool {
        (**self).was_seen(cursor, execution)
    }
}
