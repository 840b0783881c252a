//! What is remembered of events, and of how they use locations.

use mazurka_relation::Footprint;
use mazurka_trace::{AccessKind, Ending, EventId, LocationId, ProcessId, SiteId};

use super::NONE;
use crate::choices::ChoiceId;

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
    pub(super) previous: u32,
    /// Where its links begin.
    pub(super) links: u32,
    pub(crate) is_local: bool,
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
    pub(super) closed: bool,
    /// Where the processes begin whose ends it waited for.
    pub(super) joined: u32,
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
    pub(super) write: u32,
    /// The newest read since that.
    pub(super) read: u32,
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

pub(super) const UNUSED: Head = Head { write: NONE, read: NONE };

/// Where a process is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    /// Its newest event.
    pub(super) last: u32,
    /// The event that created it.
    pub(super) birth: u32,
    /// How many events it has.
    pub(super) count: u32,
}

pub(super) const UNSTARTED: Track = Track { last: NONE, birth: NONE, count: 0 };

/// Two events in a reversible race; or, with no first event, a waiting event whose races are still
/// to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) first: Option<EventId>,
    pub(crate) second: EventId,
}
