//! What constraints ask of the order that they leave pairs out of.

use mazurka_machine::Machine;
use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{AccessKind, EventId, LocationId};

use super::Order;
use crate::cursor::Cursor;
use crate::execution::{Again, Cut, Execution};
use crate::sleep::{Sleep, Sleeper};

/// What constraints ask of the order that they leave pairs out of.
pub(crate) trait Inner<M: Machine>: Order<M> {
    /// Whether it decides itself about two steps that conflict, so that no constraint is asked.
    fn decides(&self, footprints: &Footprints, one: Footprint, other: Footprint) -> bool;

    /// Two steps are left unordered, the later of which is the newest event that is in order. That
    /// rests on these locations. `looked_at` are those at which that event was left unordered.
    fn leave_unordered(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        steps: [Footprint; 2],
        decisive: &[LocationId],
        looked_at: &mut Vec<LocationId>,
    );

    /// Whether it leaves two events unordered that conflict.
    fn excuses(&self, footprints: &Footprints, execution: &Execution, one: EventId, other: EventId) -> bool;

    /// Whether an event is known to happen before another one while the execution goes on.
    fn is_surely_before(&self, execution: &Execution, one: EventId, other: EventId) -> bool;

    /// The execution is at its end: what is to be ordered again?
    fn begin_to_settle(&mut self, execution: &mut Execution, cut: Option<Cut>) -> Again;

    /// The steps that could go on to sleep although they conflict with the newest event, which uses
    /// this; and those of don't-do sequences that could go on to hold.
    fn could_sleep_on(
        &self,
        footprints: &Footprints,
        event: Footprint,
        sleep: &Sleep,
        pending: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper>;

    /// See [`Order::wake`]; those that are independent sleep on.
    fn wake_but(
        &mut self,
        cursor: &Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        independent: Vec<Sleeper>,
    ) -> Vec<Sleeper>;
}

/// The locations that two steps use, not both by reading, and how each does.
pub(super) fn common(
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
