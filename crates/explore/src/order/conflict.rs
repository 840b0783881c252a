//! Any two events that conflict are ordered.

use mazurka_machine::{Independence, Machine};
use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{Access, Event, EventId, LocationId, ProcessId, SiteId};

use super::inner::Inner;
use super::{Order, Removal, Restart, Watched};
use crate::choices::ChoiceId;
use crate::cursor::Cursor;
use crate::execution::{Again, Cut, Execution, Leaf};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::sleep::{Sleep, Sleeper};

/// Any two events that conflict are ordered, as soon as they are entered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByConflict;

impl<M: Machine> Order<M> for ByConflict {
    #[inline(always)]
    fn is_known_at_once(&self) -> bool {
        true
    }

    #[inline(always)]
    fn is_total(&self) -> bool {
        true
    }

    #[inline(always)]
    fn orders_writes(&self) -> bool {
        true
    }

    #[inline(always)]
    fn begin_again(&mut self) {}

    #[inline(always)]
    fn push(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, choice: ChoiceId, footprint: Footprint) {
        execution.push(&cursor.event, choice, footprint);
    }

    fn push_virtual(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, event: &Event) {
        let footprint = cursor.names.footprints.of(event.site, &event.accesses);
        execution.push(event, ChoiceId::NONE, footprint);
    }

    #[inline(always)]
    fn end(&mut self, _: Leaf) {}

    #[inline(always)]
    fn conclude(&mut self, _: &[Access]) {}

    fn settle(&mut self, _: &mut Cursor<'_, M>, execution: &mut Execution, _: Option<Cut>) -> usize {
        execution.take_stable()
    }

    fn settle_so_far(&mut self, _: &mut Cursor<'_, M>, _: &mut Execution) {}

    #[inline(always)]
    fn see_disabled_steps(&mut self, _: &mut Cursor<'_, M>, _: &[Event]) {}

    #[inline(always)]
    fn see_variants(&mut self, _: &mut Cursor<'_, M>, _: Footprint, _: &[Variant]) {}

    fn see_finale(&mut self, cursor: &mut Cursor<'_, M>) -> Footprint {
        cursor.last_word()
    }

    #[inline(always)]
    fn found_out(&self, _: &Cursor<'_, M>) -> Option<Restart> {
        None
    }

    #[inline(always)]
    fn tell_unordered(&mut self, _: &mut dyn FnMut(SiteId, SiteId)) {}

    #[inline(always)]
    fn add_unordered(&self, _: &Footprints, _: &Execution, _: Removal<'_>, _: &mut Vec<EventId>) -> bool {
        false
    }

    #[inline(always)]
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
        locations.iter().map(|&location| execution.source(location, waiting, removed)).collect()
    }

    #[inline(always)]
    fn orders_all_uses_of(&self, _: &Cursor<'_, M>, _: &Execution, _: EventId) -> bool {
        true
    }

    #[inline(always)]
    fn independence(&self, _: &mut Cursor<'_, M>, _: ProcessId, _: ProcessId) -> Independence {
        Independence::Unknown
    }

    #[inline(always)]
    fn wake(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        _: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper> {
        let event = execution.last().expect("a step was taken");
        sleep.descend(event, &cursor.names.footprints);
        Vec::new()
    }

    #[inline(always)]
    fn ascend(&mut self) {}

    #[inline(always)]
    fn watched(&self, _: usize) -> &[Watched] {
        &[]
    }

    fn was_seen(&self, _: &mut Cursor<'_, M>, _: &Execution) -> bool {
        false
    }
}

impl<M: Machine> Inner<M> for ByConflict {
    fn decides(&self, _: &Footprints, _: Footprint, _: Footprint) -> bool {
        false
    }

    fn leave_unordered(
        &mut self,
        _: &mut Cursor<'_, M>,
        _: &Execution,
        _: [Footprint; 2],
        _: &[LocationId],
        _: &mut Vec<LocationId>,
    ) {
    }

    fn excuses(&self, _: &Footprints, _: &Execution, _: EventId, _: EventId) -> bool {
        false
    }

    fn is_surely_before(&self, execution: &Execution, one: EventId, other: EventId) -> bool {
        execution.happens_before(one, other)
    }

    fn begin_to_settle(&mut self, execution: &mut Execution, _: Option<Cut>) -> Again {
        let stable = execution.take_stable();
        Again { position: execution.len(), stable }
    }

    fn could_sleep_on(
        &self,
        _: &Footprints,
        _: Footprint,
        sleep: &Sleep,
        pending: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper> {
        sleep.top().iter().copied().chain(pending).collect()
    }

    fn wake_but(
        &mut self,
        cursor: &Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        independent: Vec<Sleeper>,
    ) -> Vec<Sleeper> {
        let event = execution.last().expect("a step was taken");
        sleep.descend_with(|sleeper| {
            let wakes = cursor.names.footprints.dependent(sleeper.footprint, event.footprint)
                && !independent.iter().any(|independent| independent.is_like(sleeper))
                && !mutation::on(Mutation::SleepThroughDependence);
            sleeper.process != event.process && !wakes
        });
        independent
    }
}
