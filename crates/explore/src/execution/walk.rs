//! Walks over the uses of locations, from the newest to the oldest: where the newest use does not
//! tell of those before it.

use mazurka_trace::{AccessKind, EventId, LocationId};
use smallvec::SmallVec;

use super::{Execution, Head, Link, NONE};

/// A walk over the uses of a location, from the newest to the oldest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    before: Head,
    /// Reads count, too.
    reads: bool,
}

impl Walk {
    /// The use that it has come to.
    fn use_in(&self, execution: &Execution) -> Option<u32> {
        let Head { write, read } = self.before;
        let link = if self.reads && read != NONE { read } else { write };
        ((link as usize) < execution.links.len()).then_some(link)
    }
}

/// A use that a walk has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) event: EventId,
    /// Whose walk that was.
    pub(crate) walk: usize,
    /// It changed the location.
    pub(crate) changes: bool,
}

impl Execution {
    /// The events that changed a location before a use of it, the newest first.
    pub(crate) fn changes_before(&self, link: &Link) -> impl Iterator<Item = EventId> + '_ {
        self.changes_from(link.write)
    }

    /// All events that changed a location, the newest first.
    pub(crate) fn changes(&self, location: LocationId) -> impl Iterator<Item = EventId> + '_ {
        self.changes_from(self.newest(location).write)
    }

    /// Whether some event writes a location and does not read it.
    pub(crate) fn is_merely_written(&self, location: LocationId) -> bool {
        let mut write = self.newest(location).write;
        while let Some(link) = self.links.get(write as usize) {
            if link.kind == AccessKind::Write {
                return true;
            }
            write = link.write;
        }
        false
    }

    fn changes_from(&self, mut write: u32) -> impl Iterator<Item = EventId> + '_ {
        std::iter::from_fn(move || {
            let link = self.links.get(write as usize)?;
            write = link.write;
            Some(EventId::new(link.event as usize))
        })
    }

    /// Walks over the uses of locations before an event that conflict with its own.
    pub(crate) fn walk(&self, event: EventId) -> SmallVec<[Walk; 4]> {
        let links = self.links_of(event).iter();
        links.map(|link| Walk { before: link.before(), reads: !link.kind.is_read() }).collect()
    }

    /// The newest of all uses that the walks have come to; its walk goes on.
    pub(crate) fn next_of(&self, walks: &mut [Walk]) -> Option<Met> {
        let uses = walks.iter().enumerate().filter_map(|(at, walk)| Some((walk.use_in(self)?, at)));
        // Uses are numbered in the order of their events.
        let (link, walk) = uses.max()?;
        let link = self.used(link);
        walks[walk].before = link.before();
        Some(Met { event: EventId::new(link.event as usize), walk, changes: !link.kind.is_read() })
    }

    /// Whether all uses before an event that conflict with its own happen before it.
    #[inline]
    pub(crate) fn is_closed(&self, event: EventId) -> bool {
        self.record(event).closed
    }

    /// All events that changed a location before a disabled step at the waiting event, and are news
    /// to it, if the events that happen after one of `removed` had not run.
    pub(crate) fn sources<'a>(
        &'a self,
        location: LocationId,
        waiting: EventId,
        removed: &'a [EventId],
    ) -> impl Iterator<Item = EventId> + 'a {
        self.changes(location).filter(move |&event| {
            let there = !self.happens_before(waiting, event) && !self.is_removed(event, removed);
            there && self.is_news(event, waiting)
        })
    }
}
