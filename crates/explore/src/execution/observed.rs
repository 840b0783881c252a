//! Happens-before where it counts who observes what is written.
//!
//! Two events that merely write a location are ordered because of it only if somebody reads what
//! the later one left there. The writes of a location between two reads of it are a *run*: its last
//! write, if it is observed, comes after all others of the run; apart from that they are not
//! ordered. So the order of two events can depend on what comes much later, and is computed when
//! the execution is at its end.
//!
//! # Why each location counts by itself
//! A step can use several locations: the finish of its task, which somebody awaits, beside a field
//! that nobody reads. Happens-before is the least order that contains what each location demands.
//! In every linearisation of it, each read of a location comes after the last write of the run that
//! it read, that one after the other writes of its run, and the writes of later runs after the
//! read. So every event reads what it read, and, since its own past decides what it does, does what
//! it did. Executions with the same happens-before differ only in what is left at locations that
//! nobody reads again. That two events meet at a second location changes nothing: what that demands
//! is contained as well.
//!
//! A race of two events that merely write wherever they meet is reversed together with somebody who
//! observes what the second one left *at a location where they meet* ([`Execution::observers`]).
//! Whoever reads something else that one of them wrote, like the finish of its task, sees no
//! difference between the two orders, and need not come after the race.
//!
//! Cost: a look at each access of the execution, and a clock join for each dependence of the events
//! whose order can be another than the last time. A write that somebody observes costs a look at
//! each write of its run.

use mazurka_relation::{Dependence, Footprints};
use mazurka_trace::{Access, AccessKind, EventId};

use super::causes::{Causes, Writes};
use super::leaf::Cut;
use super::{Execution, Link, NONE, Race};
use crate::Monitor;
use crate::mutation::{self, Mutation};

/// Where a write stands in its run.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first write of the run.
    first: u32,
    /// The next use that is not a read, if it is one: see [`Execution::readers`].
    next: u32,
}

/// The order that the events have because of who observes what.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// For each use of a location, whether it is a write that somebody observes.
    observed: Vec<bool>,
    /// As it was when the events were ordered.
    before: Vec<bool>,
    /// So many events were ordered then.
    ordered: usize,
    /// The races of the events, in the order of the second ones.
    races: Vec<Race>,
    /// For each use of a location.
    runs: Vec<Run>,
    /// The order is not the one of an execution that is at its end.
    passing: bool,
    /// Scratch.
    unknown: Unknown,
}

/// What is to be ordered again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Again {
    /// The events from here on.
    pub(crate) position: usize,
    /// The number of events that are as they were the last time, their order included.
    pub(crate) stable: usize,
}

impl Execution {
    /// Orders all events anew, and finds all their races. `finale` is what is accessed when all is
    /// over. Gives the number of events that are as they were the last time, their order included.
    /// `redundant` says why the last event was, if it was.
    pub(crate) fn reorder(&mut self, finale: &[Access], redundant: Option<Cut>, monitor: &Monitor) -> usize {
        let Again { position, stable } = self.begin_reorder(finale, redundant);
        self.order_from(position, monitor);
        stable
    }

    /// Finds out what has to be ordered again at the end of an execution.
    pub(crate) fn begin_reorder(&mut self, finale: &[Access], redundant: Option<Cut>) -> Again {
        std::mem::swap(&mut self.order.before, &mut self.order.observed);
        self.find_observed(finale, redundant);
        let stable = self.take_stable().min(self.order.ordered);
        self.order.ordered = self.records.len();
        let Order { observed, before, .. } = &self.order;
        let known = self.records.get(stable).map_or(self.links.len(), |record| record.links as usize);
        let changed = observed[..known].iter().zip(before).position(|(now, before)| now != before);
        let same = changed.map_or(stable, |link| self.links[link].event as usize);
        let position = if std::mem::take(&mut self.order.passing) { 0 } else { same };
        Again { position, stable: if changed.is_none() { stable } else { 0 } }
    }

    /// Orders all events so far, without remembering it: more of them can come. `order` does, from
    /// a position on.
    pub(crate) fn begin_order_so_far(&mut self) -> Vec<bool> {
        let before = std::mem::take(&mut self.order.observed);
        self.find_observed(&[], None);
        before
    }

    /// All events so far are in order. This is not remembered: more of them can come. `before` is
    /// what was given when it began.
    pub(crate) fn end_order_so_far(&mut self, before: Vec<bool>) {
        self.order.observed = before;
        self.order.passing = true;
    }

    /// Orders the events from a position on. Those before it are in order. Where the exploration
    /// has to end, only some of them are ordered, and nothing may be done with the execution any
    /// more.
    pub(crate) fn order_from(&mut self, position: usize, monitor: &Monitor) {
        self.begin_order(position);
        for event in (position..self.records.len()).map(EventId::new) {
            if monitor.is_due() {
                return;
            }
            self.enter_again(event);
            self.order_again(event);
        }
        self.end_order();
    }

    /// The events from a position on are to be ordered again, one after the other.
    pub(crate) fn begin_order(&mut self, position: usize) {
        while self.clocks.len() > position {
            self.clocks.pop();
        }
        let known = self.order.races.partition_point(|race| race.second.index() < position);
        self.order.races.truncate(known);
        self.order.runs.truncate(self.records.get(position).map_or(self.links.len(), |record| record.links as usize));
        self.races.clear();
        while self.rivals.last().is_some_and(|(waiting, _)| waiting.index() >= position) {
            self.rivals.pop();
        }
    }

    /// The next event, behind those only that are its cause.
    pub(crate) fn enter_again(&mut self, event: EventId) {
        let record = self.records[event.index()];
        self.clocks.push(record.previous());
        let joined = std::mem::take(&mut self.joined);
        let end = self.records.get(event.index() + 1).map_or(joined.len(), |next| next.joined as usize);
        if end > record.joined as usize {
            self.join_ends(&joined[record.joined as usize..end]);
        }
        self.joined = joined;
        self.find_runs(event);
        self.clocks.tick(record.process, record.index);
    }

    /// Puts the event that was entered behind all that it depends on.
    pub(crate) fn order_again(&mut self, event: EventId) {
        self.collect_observed(event.index() as u32);
        self.order_candidates(event.index() as u32);
    }

    /// Whether two events, of which the second is the newest that is in order, merely write
    /// wherever they meet, and nobody observes what the second one left there.
    pub(crate) fn is_unobserved(&self, first: EventId, second: EventId, footprints: &Footprints) -> bool {
        let footprint = |event: EventId| self.records[event.index()].footprint;
        footprints.dependence(footprint(first), footprint(second)) == Dependence::IfObserved
            && self.met(first, second).all(|link| !self.order.observed.get(link).copied().unwrap_or(true))
    }

    /// The uses of the second event, by number, at locations that both events merely write.
    fn met(&self, first: EventId, second: EventId) -> impl Iterator<Item = usize> + '_ {
        let begin = self.record(second).links as usize;
        let writes = |link: &Link| link.kind == AccessKind::Write;
        let meets = move |link: &Link| {
            let mut others = self.links_of(first).iter().filter(|other| writes(other));
            others.any(|other| other.location == link.location || mutation::on(Mutation::AnyReaderObserves))
        };
        let uses = (begin..).zip(self.links_of(second));
        uses.filter(move |(_, link)| writes(link) && meets(link)).map(|(at, _)| at)
    }

    /// All events are in order.
    pub(crate) fn end_order(&mut self) {
        self.order.races.extend_from_slice(&self.races);
        self.races.clone_from(&self.order.races);
    }

    /// Finds the writes that somebody observes.
    fn find_observed(&mut self, finale: &[Access], redundant: Option<Cut>) {
        let mut unknown = std::mem::take(&mut self.order.unknown);
        if let Some(redundant) = redundant {
            self.find_unknown(redundant, &mut unknown);
        }
        let Execution { links, heads, order: Order { observed, .. }, records, .. } = self;
        observed.clear();
        observed.resize(links.len(), false);
        let mut observe = |write: u32| {
            if write != NONE && links[write as usize].kind == AccessKind::Write {
                observed[write as usize] = true;
            }
        };
        for link in links.iter().filter(|link| link.kind.observes()) {
            observe(link.write);
        }
        for access in finale {
            if access.kind == AccessKind::Halt {
                match redundant {
                    Some(redundant) => {
                        let last = records.len() - 1;
                        let is_unknown = |&write: &u32| unknown.has(redundant, last, links, write);
                        (0..links.len() as u32).filter(is_unknown).for_each(&mut observe);
                    }
                    None => heads.iter().for_each(|head| observe(head.write)),
                }
            } else if access.kind.observes()
                && let Some(head) = heads.get(access.location.index())
            {
                observe(head.write);
            }
        }
        self.order.unknown = unknown;
    }

    /// Finds what an execution whose last event is redundant does not tell.
    fn find_unknown(&self, redundant: Cut, unknown: &mut Unknown) {
        let last = self.records.len() - 1;
        let late = redundant.second.index()..last;
        let writes = |link: &Link| link.kind == AccessKind::Write && late.contains(&(link.event as usize));
        if self.links.iter().any(writes) {
            unknown.of_last.find(self, &[last], Writes::Ordered);
        }
        if redundant.writes {
            unknown.of_second.find(self, &[redundant.second.index()], Writes::Unordered);
        }
    }

    /// Finds the runs of what an event writes.
    fn find_runs(&mut self, event: EventId) {
        let begin = self.records[event.index()].links as usize;
        let end = self.records.get(event.index() + 1).map_or(self.links.len(), |next| next.links as usize);
        for at in begin..end {
            let link = &self.links[at];
            let mut run = Run { first: at as u32, next: NONE };
            if link.write != NONE && !link.kind.is_read() {
                let before = &self.links[link.write as usize];
                let run_before = &mut self.order.runs[link.write as usize];
                run_before.next = at as u32;
                if link.kind == AccessKind::Write && link.read == NONE && before.kind == AccessKind::Write {
                    run.first = run_before.first;
                }
            }
            self.order.runs.push(run);
        }
    }

    /// Collects the events that come before an event because of what both use.
    fn collect_observed(&mut self, number: u32) {
        let begin = self.records[number as usize].links as usize;
        let end = self.records.get(number as usize + 1).map_or(self.links.len(), |next| next.links as usize);
        self.candidates.clear();
        for at in begin..end {
            let link = self.links[at];
            if link.kind == AccessKind::Write && !self.order.observed[at] {
                self.collect_before_run(at as u32);
                continue;
            }
            let mut use_ = link;
            loop {
                let mut read = if link.kind.is_read() { NONE } else { use_.read };
                let readers = read != NONE;
                while read != NONE {
                    self.candidates.push(self.links[read as usize].event);
                    read = self.links[read as usize].read;
                }
                // Whoever was read comes before those who read it.
                if use_.write == NONE || (readers && link.kind == AccessKind::Write) {
                    break;
                }
                let before = self.links[use_.write as usize];
                let both_write = link.kind == AccessKind::Write && before.kind == AccessKind::Write;
                self.candidates.push(before.event);
                if !both_write {
                    break;
                }
                use_ = before;
            }
        }
    }

    /// The same for a write that nobody observes: it is ordered with nothing in its run.
    fn collect_before_run(&mut self, write: u32) {
        let first = self.order.runs[write as usize].first;
        // Whoever was read before the run comes before those who read it.
        let Link { mut read, write: before, .. } = self.links[first as usize];
        if read == NONE && before != NONE {
            self.candidates.push(self.links[before as usize].event);
        }
        while read != NONE {
            self.candidates.push(self.links[read as usize].event);
            read = self.links[read as usize].read;
        }
    }

    /// Those who read what the second of two events left where both merely write, first those that
    /// nobody else of them happens before, in their order.
    pub(crate) fn observers(&self, first: EventId, second: EventId, observers: &mut Vec<EventId>) {
        observers.clear();
        for write in self.met(first, second) {
            self.readers(write as u32, observers);
        }
        observers.sort_unstable();
        let mut kept = 0;
        for at in 0..observers.len() {
            let reader = observers[at];
            if !observers[..kept].iter().any(|&known| self.happens_before(known, reader)) {
                observers[kept] = reader;
                kept += 1;
            }
        }
        observers.truncate(kept);
    }

    /// Adds who observes a use that is not a read.
    fn readers(&self, write: u32, readers: &mut Vec<EventId>) {
        let link = &self.links[write as usize];
        // What stands there can be of an execution before this one.
        let is_next = |next: &&Link| next.write == write && !next.kind.is_read();
        let next = self.links.get(self.order.runs[write as usize].next as usize).filter(is_next);
        let mut read = next.map_or(self.heads[link.location.index()].read, |next| next.read);
        readers.extend(next.filter(|next| next.kind.observes()).map(|next| EventId::new(next.event as usize)));
        while read != NONE {
            let reader = &self.links[read as usize];
            readers.push(EventId::new(reader.event as usize));
            read = reader.read;
        }
    }
}

/// Of which writes nobody knows who would have observed them, in an execution whose last event is
/// redundant.
///
/// Everything that follows has been explored after the same events in an order in which the last
/// one comes before `second`. There it is seen who observes what, and the writes that could have
/// been observed instead are found as well; but for those that come before the last event where the
/// write in question is `second` or comes after it. The last event could have come at any place
/// after `second`: so what was overwritten since could have been observed too. And where something
/// that `second` needs writes the same as both, the last event could have come between the two,
/// which is not explored after it came before both.
#[derive(Debug, Default)]
struct Unknown {
    /// What could come before the last event, whoever observes it; where something is written from
    /// `second` on.
    of_last: Causes,
    /// What `second` needs, where both only write the same.
    of_second: Causes,
}

impl Unknown {
    /// Whether it has this use of a location, where the last event is redundant.
    fn has(&self, redundant: Cut, last: usize, links: &[Link], write: u32) -> bool {
        let link = &links[write as usize];
        if link.kind != AccessKind::Write || mutation::on(Mutation::NobodyAfterCut) {
            return false;
        }
        let before = |write: u32| Some(links[write as usize].write).filter(|&before| before != NONE);
        let mut earlier = std::iter::successors(before(write), |&write| before(write))
            .map(|write| &links[write as usize])
            .take_while(|link| link.kind == AccessKind::Write)
            .map(|link| link.event as usize);
        let (event, second) = (link.event as usize, redundant.second.index());
        if event == last {
            return !redundant.writes || earlier.any(|event| event < second && self.of_second.events()[event]);
        }
        (event > second || (event == second && !redundant.writes)) && earlier.any(|event| self.of_last.events()[event])
    }
}
