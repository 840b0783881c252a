//! Putting the newest event behind all that it depends on, and finding its races.

use mazurka_relation::Footprint;
use mazurka_trace::{Access, AccessKind, Event, EventId};

use super::record::{Head, Link, Track};
use super::{Execution, NONE, Race, Record};
use crate::mutation::{self, Mutation};

impl Execution {
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

    /// Puts the newest event behind all that it depends on, and finds its races.
    #[inline(always)]
    pub(super) fn order(&mut self, event: &Event, number: u32, previous: u32, simple: bool) {
        match event.accesses[..] {
            [] if simple => {}
            [access] if simple => self.order_single(&access, number, previous == NONE),
            [] if !event.can_block => self.follow_ends(&event.joined),
            _ => self.order_several(event, number),
        }
    }

    /// The same for an event with one access, of memory, that neither waits nor ends the execution.
    #[inline(always)]
    pub(super) fn order_single(&mut self, access: &Access, number: u32, mut knows_nothing: bool) {
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
    pub(super) fn follow_read(&mut self, candidate: u32, number: u32) {
        self.follow(candidate, number);
    }

    /// Puts the newest event behind `candidate`, with which it is dependent: a race, unless the
    /// event knows of it already.
    #[inline(always)]
    pub(super) fn follow(&mut self, candidate: u32, number: u32) {
        let (first, second) = (EventId::new(candidate as usize), EventId::new(number as usize));
        if !self.happens_before(first, second) {
            self.races.push(Race { first: Some(first), second });
            self.clocks.join(first);
        }
    }

    pub(super) fn order_several(&mut self, event: &Event, number: u32) {
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
    pub(super) fn order_candidates(&mut self, number: u32) {
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
            // Local steps commute with everything and could have come right after what led to
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

    /// A lock: ordered after the release before it, in a race with the acquisition before that; and
    /// in a race with whoever has looked at the mutex since it is free.
    pub(super) fn order_lock(&mut self, number: u32) {
        let Link { write, mut read, .. } = self.links[self.records[number as usize].links as usize];
        let held = write != NONE && self.links[write as usize].kind == AccessKind::Acquire;
        if held {
            // A disabled step. Only who holds it is in its way; who has looked at the mutex since
            // then comes after that.
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

    /// Collects the newest events that a use of this kind depends on.
    #[inline]
    pub(super) fn collect(&mut self, head: Head, kind: AccessKind) {
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
}

/// The latest of a process's events that is not local, from `event` on.
pub(super) fn latest_visible(records: &[Record], mut event: u32) -> Option<u32> {
    while event != NONE {
        let record = &records[event as usize];
        if !record.is_local {
            return Some(event);
        }
        event = if record.index > 0 { record.previous } else { NONE };
    }
    None
}
