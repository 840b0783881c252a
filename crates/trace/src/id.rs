//! Typed indices. Nobody passes a bare `usize` for a process, a location, a site or an event.

use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            /// If the index does not fit 32 bits.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                Self(index as u32)
            }

            /// The index, to address a table with.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    };
}

index! {
    /// A process. Its name (who spawned it, as which of its spawns) does not depend on the
    /// interleaving; the id is the machine's number for that name and stays the same for the
    /// machine's whole life, rewinding included.
    ProcessId, "P"
}
index! {
    /// A place that events access: a variable, an array cell, a mutex. Named like processes: the
    /// same place has the same id in every interleaving.
    LocationId, "L"
}
index! {
    /// A point in the program's code where an event can happen; it leads back to the source.
    SiteId, "S"
}
index! {
    /// An event, by its position in the current execution.
    EventId, "E"
}
