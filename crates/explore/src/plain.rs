//! Data races where only synchronisation is interference.
//!
//! In a program without data races all conflicting accesses to memory are ordered by mutexes,
//! atomics, creation and joins. So their order follows from that of the synchronisation, and need
//! not be explored: the accesses of steps that are not meant for communication ([`Event::plain`])
//! are set aside before an event is entered into the execution, and count for nobody's dependence.
//! What remains is the paper's program, in which threads interfere by mutexes alone.
//!
//! Whether the program is one without data races is analysed at the end of executions: two
//! conflicting accesses, one of them set aside, that nothing orders are a data race. It is
//! reported, not reversed, and ends the exploration: what follows from it is not explored in both
//! orders. If no execution shows a data race, then each access comes after the same ones in all
//! executions of a trace, and the exploration was complete. If only a share of the executions was
//! looked at, nobody knows that, and the verdict is `incomplete`.
//!
//! The first data race of an execution is found by comparing each access with the last write of
//! its location and, if it writes, with the reads since: up to there, what is older is ordered
//! with these. That is not so for a step that waited: it could have read without success at any
//! moment since the event before it of its process. So it is compared with all older uses that
//! this event does not know of. The steps of those who wait at the end of the execution are
//! looked at in the same way. (Where a loop looks under a mutex, the machine sees to it that what
//! it reads is written under that.)
//!
//! Cost: a look at each access of an execution that is looked at; nothing is allocated in the
//! steady state.

use mazurka_trace::{AccessKind, Event, EventId, LocationId};

use crate::execution::Execution;

/// No use.
const NONE: u32 = u32::MAX;

/// An access to memory.
#[derive(Clone, Copy, Debug)]
struct Use {
    event: EventId,
    location: LocationId,
    writes: bool,
    plain: bool,
    /// Its event waits, for no mutex.
    waits: bool,
    /// The last write of the location before this use.
    write: u32,
    /// The newest read between.
    read: u32,
}

/// The newest uses of a location.
#[derive(Clone, Copy, Debug)]
struct Head {
    write: u32,
    read: u32,
    /// In which search.
    search: u32,
}

const UNUSED: Head = Head { write: NONE, read: NONE, search: 0 };

/// The accesses to memory of the current execution.
#[derive(Debug)]
pub(crate) struct Plain {
    /// So many of a hundred executions are looked at.
    share: u32,
    /// So many have ended.
    ended: u64,
    /// So many were not looked at.
    passed_over: u64,
    uses: Vec<Use>,
    /// The accesses of the event that was tried last: location, whether it writes, whether it was
    /// set aside.
    tried: Vec<(LocationId, bool, bool)>,
    /// That event waits, for no mutex.
    waits: bool,
    heads: Vec<Head>,
    search: u32,
    /// Conflicting accesses in no order were met that are no data race: their orders matter.
    pub(crate) is_insufficient: bool,
}

impl Plain {
    /// Looks at so many of a hundred executions.
    pub(crate) fn new(share: u32) -> Self {
        let share = share.min(100);
        let (uses, tried, heads) = Default::default();
        Self { share, ended: 0, passed_over: 0, uses, tried, waits: false, heads, search: 0, is_insufficient: false }
    }

    /// Sets aside what a step did to memory that is not meant for communication.
    pub(crate) fn set_aside(&mut self, event: &mut Event) {
        self.tried.clear();
        self.waits = event.can_block && !event.accesses.iter().any(|access| access.kind.is_mutex());
        let is_plain = |kind: AccessKind| event.plain && matches!(kind, AccessKind::Read | AccessKind::Write);
        for access in &event.accesses {
            if matches!(access.kind, AccessKind::Read | AccessKind::Write | AccessKind::Update) {
                self.tried.push((access.location, !access.kind.is_read(), is_plain(access.kind)));
            }
        }
        if event.plain {
            event.accesses.retain(|access| !is_plain(access.kind));
        }
    }

    /// The event that was tried last is now the newest of the execution.
    pub(crate) fn enter(&mut self, event: EventId) {
        let (used, waits) = (self.tried.iter(), self.waits);
        let make = |&(location, writes, plain)| Use { event, location, writes, plain, waits, write: NONE, read: NONE };
        self.uses.extend(used.map(make));
    }

    /// The execution has so many events left.
    pub(crate) fn truncate(&mut self, events: usize) {
        while self.uses.last().is_some_and(|used| used.event.index() >= events) {
            self.uses.pop();
        }
    }

    /// An execution has come to its end: whether it is one to look at. They are spread evenly.
    pub(crate) fn is_next_looked_at(&mut self) -> bool {
        let looked = |ended: u64| u128::from(ended) * u128::from(self.share) / 100;
        let is_looked_at = looked(self.ended + 1) > looked(self.ended);
        self.ended += 1;
        self.passed_over += u64::from(!is_looked_at);
        is_looked_at
    }

    /// Whether some execution was not looked at.
    pub(crate) fn has_passed_over(&self) -> bool {
        self.passed_over > 0
    }

    /// The events of the execution that conflict, in no order, one of them set aside. The first
    /// pair is sure to be all of them up to its second event.
    pub(crate) fn races(&mut self, execution: &Execution) -> Vec<(EventId, EventId)> {
        let mut races = Vec::new();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.heads.fill(UNUSED);
            self.search = 1;
        }
        for number in 0..self.uses.len() {
            let used = self.uses[number];
            let head = self.head(used.location);
            let (mut write, mut read) = (head.write, head.read);
            loop {
                // The last write first, then, for a write, the reads since.
                self.compare(execution, write, used, &mut races);
                while used.writes && read != NONE {
                    self.compare(execution, read, used, &mut races);
                    read = self.uses[read as usize].read;
                }
                // One that waits can be unordered with older ones.
                if !used.waits || write == NONE {
                    break;
                }
                Use { write, read, .. } = self.uses[write as usize];
            }
            (self.uses[number].write, self.uses[number].read) = (head.write, head.read);
            let newest = number as u32;
            let head =
                if used.writes { Head { write: newest, read: NONE, ..head } } else { Head { read: newest, ..head } };
            self.heads[used.location.index()] = head;
        }
        races
    }

    fn head(&mut self, location: LocationId) -> Head {
        if location.index() >= self.heads.len() {
            self.heads.resize(location.index() + 1, UNUSED);
        }
        let head = self.heads[location.index()];
        if head.search == self.search { head } else { Head { search: self.search, ..UNUSED } }
    }

    /// Whether a use that comes later is unordered with one. A use that waits could have come,
    /// without success, at any moment since the event before it of its process.
    fn compare(&self, execution: &Execution, one: u32, other: Use, races: &mut Vec<(EventId, EventId)>) {
        let Some(one) = self.uses.get(one as usize) else { return };
        if !(one.plain || other.plain) || one.event == other.event {
            return;
        }
        let is_ordered = match other.waits {
            true => !execution.is_news(one.event, other.event),
            false => execution.happens_before(one.event, other.event),
        };
        if !is_ordered {
            races.push((one.event, other.event));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The executions that are looked at are as many as were requested, and spread evenly.
    #[test]
    fn shares_are_met() {
        for share in 0..=100 {
            let mut plain = Plain::new(share);
            let looked: Vec<bool> = (0..1000).map(|_| plain.is_next_looked_at()).collect();
            assert_eq!(looked.iter().filter(|&&looked| looked).count() as u32, 10 * share);
            assert_eq!(plain.has_passed_over(), share < 100);
            for hundred in looked.chunks(100) {
                assert_eq!(hundred.iter().filter(|&&looked| looked).count() as u32, share);
            }
        }
    }
}
