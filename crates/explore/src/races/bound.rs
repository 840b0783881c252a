//! Waiting steps that could not have run earlier, told by values alone.
//!
//! Leaving out some events, with all that happens after them, gives the locations that they write
//! the values from before. So it is mostly enough to ask the machine whether the step would wait
//! with those: nothing has to be run. Whoever changes what the step read is ordered with it. So
//! what comes after the step, or beside it, does not matter, and what is found here holds as long
//! as the step and its past are what they are; also where the step could read something else, as
//! long as it does not.
//!
//! Where constraints leave events unordered, one that stays may have built on what another wrote
//! that is left out. The two commute uniformly, so all that it leaves is the same without the other
//! one, but for the locations that both write. For those it is run again, where it stands, with the
//! values that it would find. Where it counts who observes what, this is done only if all writes of
//! what the step uses are ordered, as they are where somebody waits for it.

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{Ending, EventId, LocationId, Value};

use super::waits::{MOST_TRIALS, Waits};
use crate::choices::Script;
use crate::execution::{Execution, Link};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::Order;
use crate::search::Search;

/// So many events are run again to know what another one would find.
const MOST_AFFECTED: usize = 8;

/// The values that locations would have without some events.
#[derive(Default)]
pub(super) struct Imagined {
    values: Vec<(LocationId, Value)>,
    /// The locations that an event left out is the first one to change, with what they held before.
    changed: Vec<(EventId, LocationId, Value)>,
    /// The events that have to be run again, in order.
    affected: Vec<EventId>,
}

impl Waits {
    /// Whether values tell that a waiting event could have run without none of those it depends on.
    /// The machine goes back to where the event is, or further.
    pub(super) fn is_bound<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, second: EventId) -> bool {
        let halts = search.execution.record(second).footprint == Footprint::HALT;
        if halts
            || search.cursor.machine.detects_data_races()
            || !search.order.orders_all_uses_of(&search.cursor, &search.execution, second)
        {
            return false;
        }
        self.begin(search, second);
        let mut at = 0;
        while at < self.queue.len() {
            let removed = std::mem::take(&mut self.queue[at]);
            at += 1;
            if at > MOST_TRIALS || self.waits_without(search, second, &removed) != Some(true) {
                return false;
            }
            if !mutation::on(Mutation::OnlyLatestRival) {
                self.go_on(search, second, removed);
            }
        }
        true
    }

    /// Whether a waiting event would have to wait without these and all that happens after them; if
    /// so, `disabled_step` is what it waits for. None where only running all others would tell.
    fn waits_without<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        second: EventId,
        removed: &[EventId],
    ) -> Option<bool> {
        let Waits { imagined, disabled_step, .. } = self;
        search.seek(second.index());
        if search.is_late() {
            return None;
        }
        imagined.collect(search, second, removed)?;
        let after = imagined.run_affected(search, second)?;
        if search.is_late() {
            search.cursor.machine.rewind(after);
            search.cursor.machine.forget();
            return None;
        }
        let process = search.execution.record(second).process;
        let waits = !search.cursor.machine.is_enabled(process);
        if waits {
            search.cursor.machine.disabled_step(process, disabled_step);
        }
        search.cursor.machine.rewind(after);
        search.cursor.machine.forget();
        let reads_more = waits && self.disabled_step_reads_more(search, second);
        (!reads_more).then_some(waits)
    }

    /// Whether what a waiting event would be uses locations that it did not use: one of these
    /// variants, or else the disabled step.
    pub(super) fn reads_more<M: Machine, O: Order<M>>(
        &self,
        search: &Search<'_, M, O>,
        second: EventId,
        variants: &[Variant],
    ) -> bool {
        if variants.is_empty() {
            return self.disabled_step_reads_more(search, second);
        }
        let uses = |variant: &Variant| search.cursor.names.footprints.list(variant.footprint);
        variants.iter().flat_map(uses).any(|(location, _)| !is_used(search, second, location))
    }

    fn disabled_step_reads_more<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>, second: EventId) -> bool {
        self.disabled_step.accesses.iter().any(|access| !is_used(search, second, access.location))
    }
}

impl Imagined {
    /// Finds out what the events left out changed, and who built on that.
    fn collect<M: Machine, O: Order<M>>(
        &mut self,
        search: &Search<'_, M, O>,
        second: EventId,
        removed: &[EventId],
    ) -> Option<()> {
        self.changed.clear();
        self.affected.clear();
        let mut next = Some(second);
        let mut done = 0;
        while let Some(event) = next {
            for link in search.execution.links_of(event) {
                self.follow(search, link, removed)?;
            }
            next = self.affected.get(done).copied();
            done += 1;
        }
        self.affected.sort_unstable();
        self.changed.sort_unstable();
        Some(())
    }

    /// Finds out who changed a location before this use of it.
    fn follow<M: Machine, O: Order<M>>(
        &mut self,
        search: &Search<'_, M, O>,
        link: &Link,
        removed: &[EventId],
    ) -> Option<()> {
        if link.kind.is_mutex() {
            return None;
        }
        let (execution, machine) = (&search.execution, &*search.cursor.machine);
        let first = *removed.iter().min()?;
        let (mut earliest, mut stayed) = (None, self.affected.len());
        for event in execution.changes_before(link).take_while(|&event| event >= first) {
            if execution.is_removed(event, removed) {
                earliest = Some(event);
                stayed = self.affected.len();
                continue;
            }
            if execution.is_closed(event) {
                // All before it stay as well.
                break;
            }
            if !self.affected.contains(&event) {
                self.affected.push(event);
            }
        }
        // Those before all that are left out are what they were.
        self.affected.truncate(stayed);
        if self.affected.len() > MOST_AFFECTED {
            return None;
        }
        if let Some(event) = earliest
            && self.changed.iter().all(|&(known, location, _)| location != link.location || known > event)
        {
            self.changed.retain(|&(_, location, _)| location != link.location);
            self.changed.push((event, link.location, machine.value_before(link.location, event.index())?));
        }
        Some(())
    }

    /// Lets the machine imagine the values that the waiting event would find. Gives the position to
    /// which it is to be rewound then.
    fn run_affected<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        second: EventId,
    ) -> Option<usize> {
        self.values.clear();
        let mut changed = self.changed.iter().peekable();
        for (at, &event) in self.affected.iter().enumerate() {
            while let Some((_, location, value)) = changed.next_if(|(gone, _, _)| *gone < event) {
                self.values.push((*location, *value));
            }
            search.seek(event.index());
            search.cursor.machine.imagine(&self.values);
            let record = *search.execution.record(event);
            search.cursor.try_step(record.process, Script::Exactly(record.choice));
            let Variant { choice, footprint, .. } = search.cursor.variant();
            let same = choice == record.choice && footprint == record.footprint;
            if !same || search.cursor.event.ending != Ending::Continues {
                search.cursor.machine.rewind(event.index());
                search.cursor.machine.forget();
                return None;
            }
            for access in &search.cursor.event.accesses {
                if let Some(known) = self.values.iter_mut().find(|(location, _)| *location == access.location) {
                    known.1 = access.after;
                }
            }
            let last = at + 1 == self.affected.len() && changed.peek().is_none();
            if last && is_there(&search.execution, second, event) {
                return Some(event.index());
            }
            search.cursor.machine.rewind(event.index());
            search.cursor.machine.forget();
        }
        self.values.extend(changed.map(|(_, location, value)| (*location, *value)));
        search.seek(second.index());
        search.cursor.machine.imagine(&self.values);
        Some(second.index())
    }
}

/// Whether an event uses a location.
fn is_used<M: Machine, O: Order<M>>(search: &Search<'_, M, O>, event: EventId, location: LocationId) -> bool {
    search.execution.links_of(event).iter().any(|link| link.location == location)
}

/// Whether a waiting event's process stands where it waits once this event has run.
fn is_there(execution: &Execution, second: EventId, event: EventId) -> bool {
    execution.record(second).previous().is_none_or(|previous| previous < event)
}
