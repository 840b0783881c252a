//! Happens-before where it counts who observes what is written.
//!
//! Two events that write the same locations, and read nothing of each other, are ordered only if somebody reads what the later
//! one left. The writes of a location between two reads of it are a *run*: its last write, if it is observed, comes after all others of the
//! run; apart from that they are not ordered. So the order of two events can depend on what comes much later, and is computed
//! when the execution is at its end.
//!
//! Cost: a look at each event and a clock join for each dependence, for the whole execution. A write costs a look at each
//! write of its run.

use mazurka_relation::{Dependence, Footprint, Footprints};
use mazurka_trace::{Access, AccessKind, EventId};

use super::{Execution, Link, NONE};
use crate::dont::InVain;
use crate::mutation::{self, Mutation};

impl Execution {
    /// Orders all events anew, and finds all their races. `finale` is what is accessed when all is over. Gives the number of events that are as they
    /// were the last time, their order included. `in_vain` says why the last event was, if it was.
    pub(crate) fn reorder(&mut self, footprints: &Footprints, finale: &[Access], in_vain: Option<InVain>) -> usize {
        let before = std::mem::take(&mut self.observed);
        self.find_observed(finale, in_vain);
        let stable = self.take_stable().min(before.len());
        let same = before[..stable] == self.observed[..stable];
        self.order_all(footprints);
        if same { stable } else { 0 }
    }

    /// Orders all events so far, without remembering it: more of them can come.
    pub(crate) fn order_so_far(&mut self, footprints: &Footprints) {
        let before = std::mem::take(&mut self.observed);
        self.find_observed(&[], None);
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
    fn find_observed(&mut self, finale: &[Access], in_vain: Option<InVain>) {
        let causes = in_vain.map(|in_vain| (in_vain, self.causes_of_last(in_vain)));
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
                match &causes {
                    Some((in_vain, causes)) => {
                        let writes = 0..links.len() as u32;
                        let unknown = writes.filter(|&write| is_unknown(links, records.len(), write, *in_vain, causes));
                        unknown.for_each(&mut observe);
                    }
                    None => heads.iter().for_each(|head| observe(head.write)),
                }
            } else if access.kind.observes()
                && let Some(head) = heads.get(access.location.index())
            {
                observe(head.write);
            }
        }
    }

    /// For each event whether it could come before the last one, whoever observes it, because of what happens in between; nothing where no write comes from the
    /// event on that the last one was to come before.
    fn causes_of_last(&self, in_vain: InVain) -> Vec<bool> {
        let last = self.records.len() - 1;
        let late = in_vain.second.index()..last;
        if !self.links.iter().any(|link| link.kind == AccessKind::Write && late.contains(&(link.event as usize))) {
            return Vec::new();
        }
        // Of those that are known to come before it, what they use and whose end they waited for.
        let mut causes = vec![false; self.records.len()];
        let (mut processes, mut everything) = (Vec::<bool>::new(), false);
        let (mut used, mut changed) = (vec![false; self.heads.len()], vec![false; self.heads.len()]);
        causes[last] = true;
        for number in (0..=last).rev() {
            let record = &self.records[number];
            let next = self.records.get(number + 1);
            let links = &self.links[record.links as usize..next.map_or(self.links.len(), |next| next.links as usize)];
            let halts = links.iter().any(|link| link.kind == AccessKind::Halt) || record.footprint == Footprint::HALT;
            let depends = |link: &Link| {
                let location = link.location.index();
                changed[location] || (used[location] && !link.kind.is_read())
            };
            let of_process = processes.get(record.process.index()).is_some_and(|&is_cause| is_cause);
            causes[number] |= everything || halts || of_process || links.iter().any(depends);
            if !causes[number] {
                continue;
            }
            everything |= halts;
            let joined =
                &self.joined[record.joined as usize..next.map_or(self.joined.len(), |next| next.joined as usize)];
            for process in joined.iter().chain([&record.process]) {
                if process.index() >= processes.len() {
                    processes.resize(process.index() + 1, false);
                }
                processes[process.index()] = true;
            }
            if let Some(previous) = record.previous() {
                causes[previous.index()] = true;
            }
            for link in links {
                used[link.location.index()] = true;
                changed[link.location.index()] |= !link.kind.is_read();
            }
        }
        causes
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

/// Whether nobody knows who would have observed a write, in an execution whose last event is in vain.
///
/// Everything that follows has been explored after the same events in an order in which the last one comes before `second`. There it is seen who observes what, and
/// the writes that could have been observed instead are found as well; but for those that come before the last event where the write in question is `second` or comes after it.
/// The last event could have come at any place after `second`: so what was overwritten since could have been observed too.
fn is_unknown(links: &[Link], events: usize, write: u32, in_vain: InVain, causes: &[bool]) -> bool {
    let link = &links[write as usize];
    if link.kind != AccessKind::Write || mutation::on(Mutation::NobodyAfterCut) {
        return false;
    }
    let event = link.event as usize;
    if event + 1 == events {
        return !in_vain.writes;
    }
    let before = |write: u32| Some(links[write as usize].write).filter(|&before| before != NONE);
    let mut earlier = std::iter::successors(before(write), |&write| before(write))
        .take_while(|&write| links[write as usize].kind == AccessKind::Write);
    let second = in_vain.second.index();
    (event > second || (event == second && !in_vain.writes))
        && earlier.any(|write| causes[links[write as usize].event as usize])
}
