//! What an event did to one location.

use crate::LocationId;

/// A value read or written. What it means (integer, boolean, owner of a mutex) the machine's
/// description tells.
pub type Value = i64;

/// How one event, as a whole, used one location.
///
/// An event accesses a location once: what a step does to it several times is combined into one
/// kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum AccessKind {
    /// Read, not written.
    Read,
    /// Written without having been read before in the same event.
    Write,
    /// Read, then written.
    Update,
    /// A mutex taken.
    Acquire,
    /// A mutex given back.
    Release,
    /// A mutex taken and given back within the event, or the other way round.
    Cycle,
    /// The event ends the whole execution: it concerns every location, whatever the one named.
    Halt,
}

impl AccessKind {
    /// The kind of two uses of one location, the second after the first, within one event.
    #[inline]
    pub fn then(self, later: AccessKind) -> AccessKind {
        use AccessKind::{Acquire, Cycle, Halt, Read, Release, Update, Write};
        match (self, later) {
            (Halt, _) | (_, Halt) => Halt,
            (Read, Read) => Read,
            (Read, Write | Update) | (Update, Read | Write | Update) => Update,
            (Write, Read | Write | Update) => Write,
            (Acquire, Acquire) => Acquire,
            (Release, Release) => Release,
            (Acquire | Release | Cycle, Acquire | Release | Cycle) => Cycle,
            // A location is either memory or a mutex; a mixture would be a bug of a machine and
            // counts as the strongest kind of memory access.
            (Read | Write | Update, Acquire | Release | Cycle) | (Acquire | Release | Cycle, Read | Write | Update) => {
                Update
            }
        }
    }

    /// Whether the event leaves the location as it was.
    #[inline]
    pub fn is_read(self) -> bool {
        self == AccessKind::Read
    }

    /// Whether the event's behaviour can depend on what the location held before.
    #[inline]
    pub fn observes(self) -> bool {
        use AccessKind::{Acquire, Cycle, Halt, Read, Release, Update, Write};
        match self {
            Read | Update | Acquire | Cycle | Halt => true,
            Write | Release => false,
        }
    }

    /// Whether the location is a mutex.
    #[inline]
    pub fn is_mutex(self) -> bool {
        matches!(self, AccessKind::Acquire | AccessKind::Release | AccessKind::Cycle)
    }
}

/// One location's use by one event, with the values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Where.
    pub location: LocationId,
    /// How.
    pub kind: AccessKind,
    /// The value the location held when the event first touched it.
    pub before: Value,
    /// The value the event left there.
    pub after: Value,
}

#[cfg(test)]
mod tests {
    use super::AccessKind::{Acquire, Cycle, Read, Release, Update, Write};

    #[test]
    fn uses_of_one_location_combine() {
        assert_eq!(Read.then(Write), Update);
        assert_eq!(Write.then(Read), Write);
        assert_eq!(Update.then(Read), Update);
        assert_eq!(Acquire.then(Release), Cycle);
        assert!(Update.observes() && !Write.observes() && Cycle.observes());
    }
}
