//! Happens-before where it counts who observes what is written.
//!
//! Two events that write the same locations, and read nothing of each other, are ordered only if somebody reads what the later
//! one left. The writes of a location between two reads of it are a *run*: its last write, if it is observed, comes after all others of the
//! run; apart from that they are not ordered. So the order of two events can depend on what comes much later, and is computed
//! when the execution is at its end.
//!
//! Cost: a look at each event and a clock join for each dependence, for the whole execution. A write costs a look at each
//! write of its run.

use mazurka_relation::{Dependence, Footprints};
use mazurka_trace::{Access, AccessKind, EventId};

use super::{Execution, NONE};

impl Execution {
    /// Orders all events anew, and finds all their races. `finale` is what is accessed when all is over. Gives the number of events that are as they
    /// were the last time, their order included.
    pub(crate) fn reorder(&mut self, footprints: &Footprints, finale: &[Access]) -> usize {
        let before = std::mem::take(&mut self.observed);
        self.find_observed(finale);
        let stable = self.take_stable().min(before.len());
        let same = before[..stable] == self.observed[..stable];
        self.order_all(footprints);
        if same { stable } else { 0 }
    }

    /// Orders all events so far, without remembering it: more of them can come.
    pub(crate) fn order_so_far(&mut self, footprints: &Footprints) {
        let before = std::mem::take(&mut self.observed);
        self.find_observed(&[]);
        self.order_all(footprints);
        self.observed = before;
    }

    fn order_all(&mut self, footprints: &Footprints) {
        while !self.clocks.is_empty() {
            self.clocks.pop();
        }
        self.races.clear();
        for number in 0..self.records.len() {
            let record = self.records[number];
            self.clocks.push(record.previous());
            let joined = std::mem::take(&mut self.joined);
            let end = self.records.get(number + 1).map_or(joined.len(), |next| next.joined as usize);
            if end > record.joined as usize {
                self.join_ends(&joined[record.joined as usize..end]);
            }
            self.joined = joined;
            self.collect_observed(number as u32, footprints);
            self.order_candidates(number as u32);
            self.clocks.tick(record.process, record.index);
        }
    }

    /// Finds the writes that somebody observes.
    fn find_observed(&mut self, finale: &[Access]) {
        let Execution { links, heads, observed, records, .. } = self;
        observed.clear();
        observed.resize(records.len(), false);
        let mut observe = |write: u32| {
            if write != NONE && links[write as usize].kind == AccessKind::Write {
                observed[links[write as usize].event as usize] = true;
            }
        };
        for link in links.iter().filter(|link| link.kind.observes()) {
            observe(link.write);
        }
        for access in finale {
            if access.kind == AccessKind::Halt {
                heads.iter().for_each(|head| observe(head.write));
            } else if access.kind.observes()
                && let Some(head) = heads.get(access.location.index())
            {
                observe(head.write);
            }
        }
    }

    /// Collects the events that come before an event because of what both use.
    fn collect_observed(&mut self, number: u32, footprints: &Footprints) {
        let Execution { links, records, candidates, observed, .. } = self;
        candidates.clear();
        let record = &records[number as usize];
        let end = records.get(number as usize + 1).map_or(links.len(), |next| next.links as usize);
        for link in &links[record.links as usize..end] {
            let mut use_ = link;
            loop {
                let mut read = if link.kind.is_read() { NONE } else { use_.read };
                let readers = read != NONE;
                while read != NONE {
                    candidates.push(links[read as usize].event);
                    read = links[read as usize].read;
                }
                // Whoever was read comes before those who read it.
                if use_.write == NONE || (readers && link.kind == AccessKind::Write) {
                    break;
                }
                let before = &links[use_.write as usize];
                let both_write = link.kind == AccessKind::Write && before.kind == AccessKind::Write;
                let footprint = records[before.event as usize].footprint;
                if !both_write
                    || observed[number as usize]
                    || footprints.dependence(footprint, record.footprint) == Dependence::Dependent
                {
                    candidates.push(before.event);
                }
                if !both_write {
                    break;
                }
                use_ = before;
            }
        }
    }

    /// Those who read what an event wrote, first those that nobody else of them happens before, in their order.
    pub(crate) fn observers(&self, write: EventId, observers: &mut Vec<EventId>) {
        observers.clear();
        for link in &self.links {
            if link.kind.observes()
                && link.write != NONE
                && self.links[link.write as usize].event as usize == write.index()
            {
                let reader = EventId::new(link.event as usize);
                if !observers.iter().any(|&known| self.happens_before(known, reader)) {
                    observers.push(reader);
                }
            }
        }
    }
}
