//! Which events are ordered, and when that is known.
//!
//! - [`ByConflict`]: any two events that use the same location, not both by reading. Known as soon
//!   as an event is entered.
//! - [`ByObservation`]: two writes only if somebody reads what the later one leaves. Known when an
//!   execution is at its end.
//! - [`ByConstraint`]: as one of those, without the pairs that are known to commute uniformly.
//!   [`constraint`] has the argument, also for constraints and observers together.
//!
//! An engine asks its [`Order`], and never which one that is. What all orders share, clocks and
//! links, is [`crate::execution`]'s.

mod any;
mod conflict;
mod constraint;
mod excuses;
mod inner;
mod observation;
mod size;
mod watched;

pub(crate) use any::{AnyOrder, Planned};
pub(crate) use conflict::ByConflict;
pub(crate) use constraint::ByConstraint;
pub(crate) use observation::ByObservation;
pub(crate) use watched::{Cover, Watched};

use mazurka_machine::{Independence, Machine};
use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{Access, Event, EventId, LocationId, ProcessId, SiteId};

use crate::choices::ChoiceId;
use crate::cursor::Cursor;
use crate::execution::{Cut, Execution, Leaf, Record};
use crate::names::Variant;
use crate::sleep::{Sleep, Sleeper};

/// Why everything that was explored has to be explored again, in another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Restart {
    /// It was found out who observes what. This is known from now on.
    Observers,
    /// Integers are too large for constraints.
    WithoutConstraints,
    /// Accesses that were set aside interfere.
    Interfering,
}

/// Events that are to be left out, with all that happens after them, so that another one can come
/// before them.
#[derive(Clone, Copy)]
pub(crate) struct Removal<'a> {
    pub(crate) removed: &'a [EventId],
    pub(crate) second: EventId,
}

/// Which events are ordered. Asked by the driver, by the search for races, and by engines.
pub(crate) trait Order<M: Machine> {
    /// Whether happens-before is known when an event is entered; otherwise when the execution is at
    /// its end.
    fn is_known_at_once(&self) -> bool;

    /// Whether any two events that conflict are ordered, when the order is known.
    fn is_total(&self) -> bool;

    /// Whether two events that both merely write are ordered for that alone.
    fn orders_writes(&self) -> bool;

    /// Everything begins again. The nodes of the current path are left.
    fn begin_again(&mut self);

    /// Enters the event in the buffer into the execution. The machine is where it was.
    fn push(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, choice: ChoiceId, footprint: Footprint);

    /// Enters an event that did not happen, for its races to be found. It is to be taken back at
    /// once.
    fn push_virtual(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, event: &Event);

    /// An execution is at its end.
    fn end(&mut self, leaf: Leaf);

    /// What the program accesses when all is over.
    fn conclude(&mut self, accesses: &[Access]);

    /// Orders the execution, which is at its end. Gives the number of events that are as they were
    /// the last time.
    fn settle(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, cut: Option<Cut>) -> usize;

    /// Orders the events so far, of an execution that goes on.
    fn settle_so_far(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution);

    /// Somebody waits for what these disabled steps read.
    fn see_disabled_steps(&mut self, cursor: &mut Cursor<'_, M>, disabled_steps: &[Event]);

    /// What a step would use in another order of the events, where it used `was`.
    fn see_variants(&mut self, cursor: &mut Cursor<'_, M>, was: Footprint, now: &[Variant]);

    /// What is accessed when all is over, in the machine's state, which is that of another order of
    /// the events. The machine is to be rewound.
    fn see_finale(&mut self, cursor: &mut Cursor<'_, M>) -> Footprint;

    /// Whether something was found out that makes what was explored worthless.
    fn found_out(&self, cursor: &Cursor<'_, M>) -> Option<Restart>;

    /// Tells which steps were left unordered since this was asked, by their sites.
    fn tell_unordered(&mut self, hear: &mut dyn FnMut(SiteId, SiteId));

    /// Adds to the events that are removed, the first of which is the first of a race, those that
    /// conflict with its second event and are not ordered with it. Tells whether there are such.
    fn add_unordered(
        &self,
        footprints: &Footprints,
        execution: &Execution,
        without: Removal<'_>,
        unordered: &mut Vec<EventId>,
    ) -> bool;

    /// Whether some of those that were added are not ordered with the second event because of what
    /// was removed before: then it is open which comes first.
    fn is_open(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        without: Removal<'_>,
        unordered: &[EventId],
    ) -> bool;

    /// Who gave locations the values that a disabled step at the waiting event reads, if the events
    /// that happen after one of `removed` had not run.
    fn sources(
        &self,
        execution: &Execution,
        locations: &[LocationId],
        waiting: EventId,
        removed: &[EventId],
    ) -> Vec<Option<EventId>>;

    /// Whether all writes of the locations that an event uses are in an order, whoever observes
    /// them.
    fn orders_all_uses_of(&self, cursor: &Cursor<'_, M>, execution: &Execution, event: EventId) -> bool;

    /// What constraints say about two processes in the machine's current state.
    fn independence(&self, cursor: &mut Cursor<'_, M>, one: ProcessId, other: ProcessId) -> Independence;

    /// The newest event led to a new node: who sleeps there? Of the steps that are `pending` in
    /// don't-do sequences, gives those that commute with the event uniformly.
    fn wake(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        pending: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper>;

    /// Leaves the newest node.
    fn ascend(&mut self);

    /// The steps that sleep on a condition at a node.
    fn watched(&self, node: usize) -> &[Watched];

    /// Whether what has run could have begun with a step that was explored, as far as anybody
    /// observes it: at the end of an execution, where the machine is.
    fn was_seen(&self, cursor: &mut Cursor<'_, M>, execution: &Execution) -> bool;
}

/// Whether a step's order with others is a matter of memory alone, and it went well.
fn is_plain(record: &Record) -> bool {
    let ends = record.footprint == Footprint::HALT || record.ending != mazurka_trace::Ending::Continues;
    !record.locks && !record.waits && !record.is_local && !ends
}

/// Whether a step does the same whatever it reads.
fn is_steady(record: &Record) -> bool {
    !record.varies && !record.spawns && record.choice == ChoiceId::NONE
}
