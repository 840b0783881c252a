//! Entering events into the current execution, and taking them back.

use mazurka_relation::Footprint;
use mazurka_trace::{AccessKind, Ending, Event, EventId, LocationId, ProcessId};

use super::record::{Head, Link, UNSTARTED, UNUSED};
use super::{Execution, NONE, Record};
use crate::choices::ChoiceId;
use crate::mutation::{self, Mutation};

impl Execution {
    /// Appends an event; finds its races.
    #[inline(always)]
    pub(crate) fn push(&mut self, event: &Event, choice: ChoiceId, footprint: Footprint) -> EventId {
        self.push_with::<true>(event, choice, footprint)
    }

    #[inline(always)]
    pub(super) fn push_with<const ORDERED: bool>(
        &mut self,
        event: &Event,
        choice: ChoiceId,
        footprint: Footprint,
    ) -> EventId {
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
            is_local: event.is_local,
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
        if choice != ChoiceId::NONE || event.is_local || !event.spawned.is_empty() || event.ending != Ending::Continues
        {
            self.push_rarely(event, number as u32);
        }
        EventId::new(number)
    }

    /// What is not to be done for most events.
    #[cold]
    pub(super) fn push_rarely(&mut self, event: &Event, number: u32) {
        self.local += usize::from(event.is_local);
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
    pub(super) fn enter(&mut self, event: &Event, number: u32) {
        if !event.joined.is_empty() {
            self.follow_ends(&event.joined);
        }
        for access in &event.accesses {
            self.head(access.location);
            self.link(access.location, access.kind, number);
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
        if record.choice != ChoiceId::NONE || record.is_local || record.ending != Ending::Continues {
            self.pop_rarely(&record);
        }
        record
    }

    #[cold]
    pub(super) fn pop_rarely(&mut self, record: &Record) {
        self.local -= usize::from(record.is_local);
        if record.choice != ChoiceId::NONE {
            self.choosing.pop();
        }
        if record.ending.cuts_short() {
            self.cuts.pop();
            self.discards -= usize::from(record.ending == Ending::Discards);
        }
    }

    #[cold]
    pub(super) fn make_room(&mut self, process: ProcessId) {
        self.tracks.resize(process.index() + 1, UNSTARTED);
        self.clocks.reserve(process.index() + 1);
    }

    /// The newest uses of a location.
    #[inline(always)]
    pub(super) fn head(&mut self, location: LocationId) -> Head {
        if location.index() >= self.heads.len() {
            self.heads.resize(location.index() + 1, UNUSED);
        }
        self.heads[location.index()]
    }

    #[inline(always)]
    pub(super) fn link(&mut self, location: LocationId, kind: AccessKind, number: u32) {
        if kind == AccessKind::Halt {
            return;
        }
        let head = &mut self.heads[location.index()];
        let at = self.links.len() as u32;
        self.links.push(Link { location, event: number, kind, write: head.write, read: head.read });
        *head = if kind.is_read() { Head { write: head.write, read: at } } else { Head { write: at, read: NONE } };
    }
}
