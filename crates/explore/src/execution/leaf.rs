//! Where an exploration ends, and why.

use mazurka_trace::EventId;

/// Why an exploration does not go on from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// Nobody can move, or a fault ended the execution.
    Complete,
    /// Somebody can move, but everything from here on was explored elsewhere.
    Blocked,
    /// The execution is longer than allowed.
    TooLong,
}

/// Why the newest event is redundant: it is the last step of a don't-do sequence, and everything
/// that follows has been explored after the same events with this one before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cut {
    /// That other one.
    pub(crate) second: EventId,
    /// Both write the same locations, and read nothing of each other.
    pub(crate) writes: bool,
}
