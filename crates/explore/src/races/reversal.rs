//! What is found out about races, and who wants to know.

use mazurka_relation::Footprint;
use mazurka_trace::EventId;

use crate::execution::Execution;
use crate::names::Variant;
use crate::order::ByConflict;
use crate::search::Search;

/// A race to be reversed.
#[derive(Clone, Copy)]
pub(crate) struct Reversal<'a> {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    /// The second event is to run without these, and without all that happens after them; `first`
    /// is the earliest.
    pub(crate) removed: &'a [EventId],
    /// What the second event can be then; empty where it is the same as in this execution.
    pub(crate) variants: &'a [Variant],
    /// The events after the second one that are not ordered with it are to run before it; otherwise
    /// only those that it is independent of.
    pub(crate) last: bool,
}

impl Reversal<'_> {
    /// Whether only the machine knows what the second event needs: the clock of the second event
    /// does not tell.
    pub(crate) fn is_unsure(&self, execution: &Execution) -> bool {
        self.last || execution.record(self.second).waits
    }

    /// Whether the second event does the same before the first one, and only that one has to be
    /// left out for it.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.variants.is_empty() && self.removed.len() == 1 && !self.last
    }

    /// Whether nothing stands between the two events: then nobody but the second one's process has
    /// to run to reverse the race.
    #[inline]
    pub(crate) fn is_adjacent(&self) -> bool {
        self.second.index() == self.first.index() + 1 && !self.last
    }
}

/// A race of two events that merely write where they meet, observed by others: it is reversed
/// together with somebody who observes it there.
#[derive(Clone, Copy)]
pub(crate) struct Observation<'a> {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    /// What is to run from the first event's node, in this order, before the observer.
    pub(crate) order: &'a [EventId],
    pub(crate) observer: Observer<'a>,
}

/// Who observes a race.
#[derive(Clone, Copy)]
pub(crate) enum Observer<'a> {
    /// An event, and what that can be when the race is reversed.
    Event(EventId, &'a [Variant]),
    /// What is accessed when all is over.
    Finale(Footprint),
}

impl Observer<'_> {
    /// What the observer, if it is an event, can be when the race is reversed.
    pub(crate) fn variants(&self) -> impl Iterator<Item = Option<Variant>> {
        let (events, finale) = match *self {
            Observer::Event(_, variants) => (variants, None),
            Observer::Finale(_) => (&[][..], Some(None)),
        };
        events.iter().copied().map(Some).chain(finale)
    }
}

/// The latest event that a decision about a reversal rests on. As long as that event stays,
/// whatever comes after it, the reversal needs nothing more. None where the decision rests on all
/// of the execution.
pub(crate) type Basis = Option<EventId>;

/// What an algorithm does about races.
pub(crate) trait Reverse<M, O = ByConflict> {
    /// Sees to it that a race is reversed.
    fn reverse(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis;

    /// Sees to it that a race between two writes is reversed, and observed.
    fn reverse_observed(&mut self, _search: &mut Search<'_, M, O>, _race: &Observation<'_>) {
        unreachable!("only where observers count are there such races");
    }

    /// Which reversals it wants to see.
    fn wanted(&self) -> Wanted;

    /// Whether it keeps what steps use, so that this has to be what they use where they are run.
    fn keeps_footprints(&self) -> bool {
        false
    }

    /// Whether explorations can be cut, so that an event has to request all other variants of its
    /// step.
    fn requests_every_variant(&self) -> bool;

    /// Whether the other variants of an event's step may still have to be requested.
    fn wants_variants(&self, _search: &Search<'_, M, O>, _event: EventId) -> bool {
        true
    }

    /// The same for the most common race: nothing stands between the two events, and the second
    /// does the same before the first.
    #[inline(always)]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        self.reverse(search, race)
    }
}

/// Which reversals an algorithm wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// None: everything is explored anyway.
    Nothing,
    /// Each one once, but for those that vary.
    New,
    /// At the end of each execution all those that could mean something else than before.
    Changed,
}
