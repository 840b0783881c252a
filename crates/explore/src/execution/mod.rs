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
mod ends;
mod leaf;
mod observed;
mod waits;
mod walk;

pub(crate) use causes::{Causes, Writes};
pub(crate) use leaf::{Cut, Leaf};
pub(crate) use observed::Again;
pub(crate) use walk::Met;

use mazurka_relation::Footprint;
use mazurka_trace::{Access, AccessKind, Clocks, Ending, Event, EventId, LocationId, ProcessId, SiteId};

use crate::choices::ChoiceId;
use crate::mutation::{self, Mutation};

/// No link, no event.
pub(crate) const NONE: u32 = u32::MAX;

/// What is remembered of an event of the current execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) process: ProcessId,
    pub(crate) choice: ChoiceId,
    pub(crate) footprint: Footprint,
    pub(crate) site: SiteId,
    /// Its number among the events of its process.
    pub(crate) index: u32,
    /// The previous event of its process, or the event that created the process.
    previous: u32,
    /// Where its links begin.
    links: u32,
    pub(crate) internal: bool,
    pub(crate) varies: bool,
    /// Whether it could run can depend on what others did, in a way that only the machine knows.
    pub(crate) waits: bool,
    /// It takes a mutex and does nothing else.
    pub(crate) locks: bool,
    pub(crate) ending: Ending,
    /// It can be part of a data race.
    pub(crate) plain: bool,
    /// It creates processes.
    pub(crate) spawns: bool,
    /// It happens after all before it that it conflicts with.
    closed: bool,
    /// Where the processes begin whose ends it waited for.
    joined: u32,
}

impl Record {
    /// The previous event of its process, or the event that created the process.
    #[inline]
    pub(crate) fn previous(&self) -> Option<EventId> {
        (self.previous != NONE).then(|| EventId::new(self.previous as usize))
    }
}

/// One use of a location, linked to the uses of that location before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) location: LocationId,
    pub(crate) event: u32,
    pub(crate) kind: AccessKind,
    /// The newest use before it that was not a read.
    write: u32,
    /// The newest read since that.
    read: u32,
}

impl Link {
    /// The newest uses of its location before it.
    #[inline]
    pub(crate) fn before(&self) -> Head {
        Head { write: self.write, read: self.read }
    }
}

/// The newest uses of a location: the last that was not a read, and the last read since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) write: u32,
    pub(crate) read: u32,
}

const UNUSED: Head = Head { write: NONE, read: NONE };

/// Where a process is.
#[derive(Clone, Copy, Debug)]
struct Track {
    /// Its newest event.
    last: u32,
    /// The event that created it.
    birth: u32,
    /// How many events it has.
    count: u32,
}

const UNSTARTED: Track = Track { last: NONE, birth: NONE, count: 0 };

/// Two events in a reversible race; or, with no first event, a waiting event whose races are still
/// to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) first: Option<EventId>,
    pub(crate) second: EventId,
}

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
    /// How many events are internal.
    internal: usize,
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

    /// The number of events, internal ones included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// The number of events that count.
    #[inline]
    pub(crate) fn visible(&self) -> usize {
        self.records.len() - self.internal
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

    /// Appends an event; finds its races.
    #[inline(always)]
    pub(crate) fn push(&mut self, event: &Event, choice: ChoiceId, footprint: Footprint) -> EventId {
        self.push_with::<true>(event, choice, footprint)
    }

    #[inline(always)]
    fn push_with<const ORDERED: bool>(&mut self, event: &Event, choice: ChoiceId, footprint: Footprint) -> EventId {
        let process = event.process;
        if process.index() >= self.tracks.len() {
            self.make_room(process);
        }
        let number = self.records.len();
        let track = &mut self.tracks[process.index()];
        let (previous, index) = (if track.count == 0 { track.birth } else { track.last }, track.count);
        track.last = number as u32;
        track.count = index + 1;
        let locks = event.locks && matches!(event.accesses[..], [access] if access.kind == AccessKind::Acquire);
        let waits = event.can_block && !locks;
        self.records.push(Record {
            process,
            choice,
            footprint,
            site: event.site,
            index,
            previous,
            links: self.links.len() as u32,
            internal: event.internal,
            varies: event.varies || footprint == Footprint::HALT,
            waits,
            locks,
            ending: event.ending,
            plain: event.plain,
            spawns: !event.spawned.is_empty(),
            closed: ORDERED || locks,
            joined: self.joined.len() as u32,
        });
        self.clocks.push((previous != NONE).then(|| EventId::new(previous as usize)));
        let simple = !event.can_block && footprint != Footprint::HALT && event.joined.is_empty();
        if ORDERED || locks || footprint == Footprint::HALT {
            self.order(event, number as u32, previous, simple);
        } else {
            self.enter(event, number as u32);
        }
        self.clocks.tick(process, index);
        if choice != ChoiceId::NONE || event.internal || !event.spawned.is_empty() || event.ending != Ending::Continues
        {
            self.push_rarely(event, number as u32);
        }
        EventId::new(number)
    }

    /// What is not to be done for most events.
    #[cold]
    fn push_rarely(&mut self, event: &Event, number: u32) {
        self.internal += usize::from(event.internal);
        if !event.choices.is_empty() {
            self.choosing.push(EventId::new(number as usize));
        }
        for &child in &event.spawned {
            if child.index() >= self.tracks.len() {
                self.make_room(child);
            }
            self.tracks[child.index()].birth = if mutation::on(Mutation::SpawnWithoutOrder) { NONE } else { number };
        }
        if event.ending.cuts_short() {
            self.cuts.push(number);
            self.discards += usize::from(event.ending == Ending::Discards);
        }
    }

    /// Appends an event, and leaves it to the caller to order it: see
    /// [`Execution::follow_conflict`], [`Execution::settle`]. Unless its order is not a matter of
    /// what it conflicts with, see [`Execution::is_ordered`].
    pub(crate) fn push_unordered(&mut self, event: &Event, choice: ChoiceId, footprint: Footprint) -> EventId {
        self.push_with::<false>(event, choice, footprint)
    }

    /// Whether an event that takes a mutex or ends the execution: that is always ordered at once.
    pub(crate) fn is_ordered(&self, event: EventId) -> bool {
        let record = self.record(event);
        record.locks || record.footprint == Footprint::HALT
    }

    /// Links the uses of an event that is not ordered yet.
    fn enter(&mut self, event: &Event, number: u32) {
        if !event.joined.is_empty() {
            self.follow_ends(&event.joined);
        }
        for access in &event.accesses {
            self.head(access.location);
            self.link(access.location, access.kind, number);
        }
    }

    /// Puts the newest event behind one that it conflicts with and does not know of: a race, unless
    /// it waits.
    pub(crate) fn follow_conflict(&mut self, candidate: EventId, newest: EventId) {
        if self.record(newest).waits {
            self.rivals.push((newest, candidate));
        } else {
            self.races.push(Race { first: Some(candidate), second: newest });
        }
        self.clocks.join(candidate);
    }

    /// The newest event has been put behind all that it has to follow; whether that is all that it
    /// conflicts with.
    pub(crate) fn settle(&mut self, newest: EventId, closed: bool) {
        self.records[newest.index()].closed = closed;
        if self.record(newest).waits && !mutation::on(Mutation::WaitsWithoutRaces) {
            self.races.push(Race { first: None, second: newest });
            self.has_waits = true;
        }
    }

    /// Removes the newest event.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Record {
        let record = self.records.pop().expect("there is an event to take back");
        while self.links.len() > record.links as usize {
            if let Some(link) = self.links.pop() {
                self.heads[link.location.index()] = Head { write: link.write, read: link.read };
            }
        }
        self.stable = self.stable.min(self.records.len());
        self.joined.truncate(record.joined as usize);
        self.clocks.pop();
        while self.rivals.last().is_some_and(|(waiting, _)| waiting.index() >= self.records.len()) {
            self.rivals.pop();
        }
        let track = &mut self.tracks[record.process.index()];
        track.last = if record.index > 0 { record.previous } else { NONE };
        track.count = record.index;
        if record.choice != ChoiceId::NONE || record.internal || record.ending != Ending::Continues {
            self.pop_rarely(&record);
        }
        record
    }

    #[cold]
    fn pop_rarely(&mut self, record: &Record) {
        self.internal -= usize::from(record.internal);
        if record.choice != ChoiceId::NONE {
            self.choosing.pop();
        }
        if record.ending.cuts_short() {
            self.cuts.pop();
            self.discards -= usize::from(record.ending == Ending::Discards);
        }
    }

    #[cold]
    fn make_room(&mut self, process: ProcessId) {
        self.tracks.resize(process.index() + 1, UNSTARTED);
        self.clocks.reserve(process.index() + 1);
    }

    /// Puts the newest event behind all that it depends on, and finds its races.
    #[inline(always)]
    fn order(&mut self, event: &Event, number: u32, previous: u32, simple: bool) {
        match event.accesses[..] {
            [] if simple => {}
            [access] if simple => self.order_single(&access, number, previous == NONE),
            [] if !event.can_block => self.follow_ends(&event.joined),
            _ => self.order_several(event, number),
        }
    }

    /// The same for an event with one access, of memory, that neither waits nor ends the execution.
    #[inline(always)]
    fn order_single(&mut self, access: &Access, number: u32, mut knows_nothing: bool) {
        let head = self.head(access.location);
        // The reads since the last write, newest first, and then that write: latest first, as it
        // has to be.
        let mut read = if access.kind.is_read() { NONE } else { head.read };
        while read != NONE {
            let link = self.links[read as usize];
            self.follow_read(link.event, number);
            knows_nothing = false;
            read = link.read;
            if mutation::on(Mutation::OneReaderPerWrite) {
                break;
            }
        }
        if head.write != NONE {
            let write = self.links[head.write as usize].event;
            if knows_nothing {
                let first = EventId::new(write as usize);
                self.races.push(Race { first: Some(first), second: EventId::new(number as usize) });
                self.clocks.copy(first);
            } else {
                self.follow(write, number);
            }
        }
        self.link(access.location, access.kind, number);
    }

    /// The same as [`Execution::follow`], apart so that each has one place to be inlined in.
    fn follow_read(&mut self, candidate: u32, number: u32) {
        self.follow(candidate, number);
    }

    /// Puts the newest event behind `candidate`, with which it is dependent: a race, unless the
    /// event knows of it already.
    #[inline(always)]
    fn follow(&mut self, candidate: u32, number: u32) {
        let (first, second) = (EventId::new(candidate as usize), EventId::new(number as usize));
        if !self.happens_before(first, second) {
            self.races.push(Race { first: Some(first), second });
            self.clocks.join(first);
        }
    }

    fn order_several(&mut self, event: &Event, number: u32) {
        if !event.joined.is_empty() {
            self.follow_ends(&event.joined);
        }
        self.candidates.clear();
        for access in &event.accesses {
            let head = self.head(access.location);
            self.collect(head, access.kind);
            self.link(access.location, access.kind, number);
        }
        self.order_candidates(number);
    }

    /// Puts the newest event behind the candidates, and finds its races with them.
    fn order_candidates(&mut self, number: u32) {
        let record = self.records[number as usize];
        if record.locks {
            return self.order_lock(number);
        }
        let ends = record.footprint == Footprint::HALT && !mutation::on(Mutation::HaltIndependent);
        if ends {
            let latest = self.tracks.iter().filter_map(|track| latest_visible(&self.records, track.last));
            self.candidates.extend(latest);
        }
        // Latest first: an event that a later predecessor knows of is no race.
        self.candidates.sort_unstable_by(|one, other| other.cmp(one));
        for at in 0..self.candidates.len() {
            let candidate = self.candidates[at];
            if candidate == number {
                continue;
            }
            if record.waits {
                self.clocks.join(EventId::new(candidate as usize));
            } else {
                self.follow_read(candidate, number);
            }
        }
        if ends {
            // Internal steps commute with everything and could have come right after what led to
            // them: they are known, and never in a race.
            for Track { last, .. } in self.tracks.iter().copied().filter(|track| track.last != NONE) {
                if last != number {
                    self.clocks.join(EventId::new(last as usize));
                }
            }
        }
        if record.waits && !mutation::on(Mutation::WaitsWithoutRaces) {
            self.races.push(Race { first: None, second: EventId::new(number as usize) });
            self.has_waits = true;
        }
    }

    /// The newest uses of a location.
    #[inline(always)]
    fn head(&mut self, location: LocationId) -> Head {
        if location.index() >= self.heads.len() {
            self.heads.resize(location.index() + 1, UNUSED);
        }
        self.heads[location.index()]
    }

    /// A lock: ordered after the release before it, in a race with the acquisition before that; and
    /// in a race with whoever has looked at the mutex since it is free.
    fn order_lock(&mut self, number: u32) {
        let Link { write, mut read, .. } = self.links[self.records[number as usize].links as usize];
        let held = write != NONE && self.links[write as usize].kind == AccessKind::Acquire;
        if held {
            // An attempt. Only who holds it is in its way; who has looked at the mutex since then
            // comes after that.
            read = NONE;
        }
        while read != NONE {
            let link = self.links[read as usize];
            self.follow_read(link.event, number);
            read = link.read;
        }
        if write == NONE {
            return;
        }
        let newest = self.links[write as usize];
        let rival = if newest.kind == AccessKind::Release && newest.write != NONE {
            self.links[newest.write as usize].event
        } else {
            newest.event
        };
        let (first, second) = (EventId::new(rival as usize), EventId::new(number as usize));
        if !self.happens_before(first, second) && !mutation::on(Mutation::LockWithoutRace) {
            self.races.push(Race { first: Some(first), second });
        }
        self.clocks.join(EventId::new(newest.event as usize));
    }

    /// Whether the event with this record happens before `event`, or is it.
    #[inline]
    pub(crate) fn knows(&self, event: EventId, other: &Record) -> bool {
        self.clocks.get(event, other.process) > other.index
    }

    /// Collects the newest events that a use of this kind depends on.
    #[inline]
    fn collect(&mut self, head: Head, kind: AccessKind) {
        match kind {
            AccessKind::Read => {}
            AccessKind::Halt => return,
            AccessKind::Write | AccessKind::Update | AccessKind::Acquire | AccessKind::Release | AccessKind::Cycle => {
                let mut read = head.read;
                while read != NONE {
                    let link = &self.links[read as usize];
                    self.candidates.push(link.event);
                    read = link.read;
                    if mutation::on(Mutation::OneReaderPerWrite) {
                        break;
                    }
                }
            }
        }
        if head.write != NONE {
            self.candidates.push(self.links[head.write as usize].event);
        }
    }

    #[inline(always)]
    fn link(&mut self, location: LocationId, kind: AccessKind, number: u32) {
        if kind == AccessKind::Halt {
            return;
        }
        let head = &mut self.heads[location.index()];
        let at = self.links.len() as u32;
        self.links.push(Link { location, event: number, kind, write: head.write, read: head.read });
        *head = if kind.is_read() { Head { write: head.write, read: at } } else { Head { write: at, read: NONE } };
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

/// The latest of a process's events that is not internal, from `event` on.
fn latest_visible(records: &[Record], mut event: u32) -> Option<u32> {
    while event != NONE {
        let record = &records[event as usize];
        if !record.internal {
            return Some(event);
        }
        event = if record.index > 0 { record.previous } else { NONE };
    }
    None
}
