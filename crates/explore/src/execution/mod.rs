//! The current execution: its events, happens-before, and its races.
//!
//! *Happens-before* is the least order on the events of an execution that contains the order of
//! each process, the order from the creation of a process to its events, from these to an event
//! that waited for the end of the process, and the order in the execution of any two dependent
//! events.
//!
//! Two events `e`, `e'` of different processes *race* when `e` is before `e'`, they are dependent,
//! and no event lies between them in happens-before. The race is *reversible* when `e'` could have
//! run right before `e`. Taking a mutex is dependent with the release before it, but that order
//! cannot be turned: it races with the acquisition that the release undid. Whether a waiting step
//! (`await`, an atomic block that waits) could have run earlier only the machine can tell: such
//! events are kept as *waits*, to be judged when the execution is at its end.
//!
//! Cost: pushing an event takes time in the number of its accesses, of the reads since the last
//! write of a location it writes, and a clock join for each; popping undoes exactly that. Memory
//! grows with the length of the execution only.

mod busiest;
mod causes;
mod dependence;
mod ends;
mod enter;
mod leaf;
mod observed;
mod record;
mod waits;
mod walk;

pub(crate) use causes::{Causes, Writes};
pub(crate) use leaf::{Cut, Leaf};
pub(crate) use observed::Again;
pub(crate) use record::{Head, Link, Race, Record};
pub(crate) use walk::Met;

use mazurka_trace::{Clocks, Ending, EventId, LocationId, ProcessId};

use record::{Track, UNSTARTED, UNUSED};

/// No link, no event.
pub(crate) const NONE: u32 = u32::MAX;

/// The events of the current execution, a stack.
#[derive(Debug, Default)]
pub(crate) struct Execution {
    records: Vec<Record>,
    clocks: Clocks,
    links: Vec<Link>,
    heads: Vec<Head>,
    tracks: Vec<Track>,
    /// The processes whose ends events waited for.
    joined: Vec<ProcessId>,
    /// The races that nobody has requested yet.
    races: Vec<Race>,
    /// Some of them are of waiting events.
    has_waits: bool,
    /// So many events have stayed the same since somebody asked.
    stable: usize,
    /// The events from this position on are taken for new.
    new: usize,
    /// The least that each process's events are known to the new ones; empty where that is not
    /// worth its while.
    least: Vec<u32>,
    /// The events at which a process came to an untimely end, and how many of them failed
    /// assumptions.
    cuts: Vec<u32>,
    discards: usize,
    /// The events that make data choices.
    choosing: Vec<EventId>,
    /// How many events are local.
    local: usize,
    candidates: Vec<u32>,
    /// Waiting events, each with an event that it was put behind; only of those that were not
    /// ordered at once.
    rivals: Vec<(EventId, EventId)>,
    /// The order because of who observes what; only where that is requested.
    order: observed::Order,
}

/// For so many events there is room from the beginning.
const ROOM: usize = 1 << 10;

/// So many looks at the clocks of new events cost less than the least of all of them.
const FEW: usize = 32;

impl Execution {
    /// Without events.
    pub(crate) fn new() -> Self {
        Self { records: Vec::with_capacity(ROOM), links: Vec::with_capacity(2 * ROOM), ..Self::default() }
    }

    /// The number of events, local ones included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// The number of events that count.
    #[inline]
    pub(crate) fn visible(&self) -> usize {
        self.records.len() - self.local
    }

    #[inline]
    pub(crate) fn record(&self, event: EventId) -> &Record {
        &self.records[event.index()]
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<&Record> {
        self.records.last()
    }

    /// The process that took all of the last `count` steps, if one did.
    #[inline]
    pub(crate) fn alone_for(&self, count: usize) -> Option<ProcessId> {
        let (first, last) = (self.records.get(self.records.len().checked_sub(count)?)?, self.records.last()?);
        let alone = first.process == last.process && last.index as usize + 1 == first.index as usize + count;
        alone.then_some(last.process)
    }

    /// The events that make data choices.
    #[inline]
    pub(crate) fn choosing(&self) -> &[EventId] {
        &self.choosing
    }

    /// Whether the newest event ended the execution.
    #[inline]
    pub(crate) fn has_halted(&self) -> bool {
        self.last().is_some_and(|last| matches!(last.ending, Ending::Halts | Ending::OutOfFuel))
    }

    /// Whether an assumption has failed.
    #[inline]
    pub(crate) fn is_discarded(&self) -> bool {
        self.discards > 0
    }

    /// Whether some process came to an untimely end.
    #[inline]
    pub(crate) fn is_cut_short(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// Whether another process's untimely end happens before an event. Then the event is in no
    /// execution that counts, or what led to it counts elsewhere.
    pub(crate) fn is_after_cut(&self, event: EventId) -> bool {
        let mut cuts = self.cuts.iter().map(|&cut| EventId::new(cut as usize));
        cuts.any(|cut| cut != event && self.happens_before(cut, event))
    }

    /// The same for the next event of a process, before it is known what that uses.
    pub(crate) fn goes_on_after_cut(&self, process: ProcessId) -> bool {
        self.is_cut_short() && self.newest_of(process).is_some_and(|newest| self.is_after_cut(newest))
    }

    /// Whether an event waited for the end of this process: all that the process does comes before
    /// it.
    pub(crate) fn joins(&self, event: EventId, process: ProcessId) -> bool {
        self.joined(event).contains(&process)
    }

    /// The processes whose ends an event waited for.
    #[inline]
    pub(crate) fn joined(&self, event: EventId) -> &[ProcessId] {
        let end = self.records.get(event.index() + 1).map_or(self.joined.len(), |next| next.joined as usize);
        &self.joined[self.record(event).joined as usize..end]
    }

    /// Whether an event is the first of a process that was created, or waited for the end of one.
    pub(crate) fn is_caused(&self, event: EventId) -> bool {
        let record = self.record(event);
        let end = self.records.get(event.index() + 1).map_or(self.joined.len(), |next| next.joined as usize);
        end > record.joined as usize || (record.index == 0 && record.previous != NONE)
    }

    /// Whether `one` happens before `other`, or is it.
    #[inline]
    pub(crate) fn happens_before(&self, one: EventId, other: EventId) -> bool {
        let record = &self.records[one.index()];
        self.clocks.get(other, record.process) > record.index
    }

    /// The newest event of a process, or the one that created it.
    pub(crate) fn newest_of(&self, process: ProcessId) -> Option<EventId> {
        let track = self.tracks.get(process.index())?;
        let newest = if track.count == 0 { track.birth } else { track.last };
        (newest != NONE).then(|| EventId::new(newest as usize))
    }

    /// The processes that an event created, and perhaps some of other executions.
    pub(crate) fn children(&self, event: EventId) -> impl Iterator<Item = ProcessId> + '_ {
        let is_child = move |(_, track): &(usize, &Track)| track.birth as usize == event.index();
        self.tracks.iter().enumerate().filter(is_child).map(|(process, _)| ProcessId::new(process))
    }

    /// Whether an event is another one, or comes before it because of the order of processes and of
    /// their creation alone.
    pub(crate) fn is_cause(&self, one: EventId, other: EventId) -> bool {
        std::iter::successors(Some(other), |&event| self.record(event).previous())
            .take_while(|&event| event >= one)
            .any(|event| event == one)
    }

    /// How many events of `process` stand before position `position`. Costs a look at each of its
    /// events after that.
    #[inline]
    pub(crate) fn count_before(&self, process: ProcessId, position: usize) -> usize {
        let first = self.first_from(process, position);
        match first {
            Some(event) => self.record(event).index as usize,
            None => self.tracks.get(process.index()).map_or(0, |track| track.count as usize),
        }
    }

    /// The first event of `process` at or after `position`. Costs a look at each of its events
    /// after that.
    #[inline]
    pub(crate) fn first_from(&self, process: ProcessId, position: usize) -> Option<EventId> {
        let mut event = self.tracks.get(process.index())?.last;
        if event == NONE || (event as usize) < position {
            return None;
        }
        loop {
            let record = &self.records[event as usize];
            if record.index == 0 || (record.previous as usize) < position {
                return Some(EventId::new(event as usize));
            }
            event = record.previous;
        }
    }

    /// What `event` knows of each process: see [`Clocks::known`].
    #[inline]
    pub(crate) fn known(&self, event: EventId) -> impl Iterator<Item = (ProcessId, u32)> + '_ {
        self.clocks.known(event)
    }

    /// Whether the event with this record happens before `event`, or is it.
    #[inline]
    pub(crate) fn knows(&self, event: EventId, other: &Record) -> bool {
        self.clocks.get(event, other.process) > other.index
    }

    /// The races of the events since the last time they were requested. Tells whether some of them
    /// are of waiting events.
    #[inline]
    pub(crate) fn take_races(&mut self, races: &mut Vec<Race>) -> bool {
        races.clear();
        std::mem::swap(&mut self.races, races);
        std::mem::take(&mut self.has_waits)
    }

    /// How many events have stayed the same since the last time this was asked.
    #[inline]
    pub(crate) fn take_stable(&mut self) -> usize {
        std::mem::replace(&mut self.stable, self.records.len())
    }

    /// Takes the events from position `position` on for new, for about so many questions: see
    /// [`Execution::precedes_all_new`].
    #[inline]
    pub(crate) fn set_new(&mut self, position: usize, questions: usize) {
        self.new = position;
        if questions * (self.records.len() - position) > FEW {
            self.clocks.least(position, &mut self.least);
        } else {
            self.least.clear();
        }
    }

    /// Whether all new events happen after this one.
    #[inline]
    pub(crate) fn precedes_all_new(&self, event: EventId) -> bool {
        let record = self.record(event);
        if self.least.is_empty() {
            return self.clocks.all_know(self.new, record.process, record.index);
        }
        self.least.get(record.process.index()).is_some_and(|&least| least > record.index)
    }

    /// Whether all later events happen after this one.
    #[inline]
    pub(crate) fn precedes_all_from(&self, event: EventId) -> bool {
        let record = self.record(event);
        self.clocks.all_know(event.index() + 1, record.process, record.index)
    }

    /// The newest event of a process, or the one that created it, and how many events the process
    /// has.
    pub(crate) fn latest(&self, process: ProcessId) -> (Option<EventId>, u32) {
        let track = self.tracks.get(process.index()).copied().unwrap_or(UNSTARTED);
        let latest = if track.last == NONE { track.birth } else { track.last };
        ((latest != NONE).then(|| EventId::new(latest as usize)), track.count)
    }

    /// The newest event of each process that has events.
    pub(crate) fn latest_of_each(&self) -> impl Iterator<Item = EventId> + '_ {
        self.tracks.iter().filter(|track| track.last != NONE).map(|track| EventId::new(track.last as usize))
    }

    /// A use of a location, by its number.
    #[inline]
    pub(crate) fn used(&self, link: u32) -> &Link {
        &self.links[link as usize]
    }

    /// The same, where there is one.
    pub(crate) fn use_at(&self, link: u32) -> Option<Link> {
        self.links.get(link as usize).copied()
    }

    /// The newest uses of a location in the whole execution.
    pub(crate) fn newest(&self, location: LocationId) -> Head {
        self.heads.get(location.index()).copied().unwrap_or(UNUSED)
    }

    /// The uses of locations by an event, linked.
    #[inline]
    pub(crate) fn links_of(&self, event: EventId) -> &[Link] {
        let end = self.records.get(event.index() + 1).map_or(self.links.len(), |next| next.links as usize);
        &self.links[self.record(event).links as usize..end]
    }

    /// Whether one of `removed` happens before the event or is it.
    #[inline]
    pub(crate) fn is_removed(&self, event: EventId, removed: &[EventId]) -> bool {
        removed.iter().any(|&gone| self.happens_before(gone, event))
    }

    /// Whether `second` read, directly, something that `first` changed.
    pub(crate) fn reads_from(&self, first: EventId, second: EventId) -> bool {
        let changed = self.links_of(first);
        self.links_of(second).iter().any(|link| {
            link.kind.observes() && changed.iter().any(|other| other.location == link.location && !other.kind.is_read())
        })
    }
}
