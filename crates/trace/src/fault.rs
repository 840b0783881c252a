//! What can go wrong in an execution.

use crate::{ProcessId, SiteId, Value};

/// The kinds of failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// An assertion did not hold. The execution can go on.
    Assertion,
    /// Nobody can move and somebody has not ended.
    Deadlock,
    /// A mutex given back by who does not hold it, or kept by a process that ends.
    Lock,
    /// An index outside of its array.
    Bounds,
    /// A division by zero.
    DivisionByZero,
    /// A result that does not fit.
    Overflow,
    /// A choice from an empty range.
    EmptyChoice,
}

/// One failure: what, where, whose. `detail` holds the numbers of the message (which is the machine's to word).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Whose.
    pub process: ProcessId,
    /// The place in the code; finer than the event's site where a step holds several operations.
    pub site: SiteId,
    /// Bounds: index and length. Overflow, division: the operands. Lock: the mutex's location and its owner.
    pub detail: [Value; 2],
}
