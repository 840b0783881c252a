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
    /// The program gave up of its own accord.
    Abort,
    /// The program ended with an exit status other than 0.
    ExitStatus,
    /// Two accesses to the same bytes that nothing orders, one of them a write, not both atomic.
    DataRace,
    /// An access through a null pointer.
    NullPointer,
    /// An access to memory whose life has ended.
    UseAfterFree,
    /// Memory given back twice.
    DoubleFree,
    /// Something given back that was never handed out.
    InvalidFree,
    /// An access through something that is no pointer to an object.
    InvalidPointer,
    /// A decision or an address that depends on memory never written.
    Uninitialised,
    /// A write to what must not be written.
    ReadOnly,
    /// Memory that nobody gave back.
    Leak,
    /// The call stack is full.
    StackOverflow,
    /// A shift by a negative number, or by more bits than there are.
    Shift,
    /// A process goes round in a loop that nothing can end any more.
    Livelock,
    /// A library function called in a way that has no meaning.
    Misuse,
    /// Something that the machine does not model, met at run time.
    Unmodelled,
    /// An exception that nobody caught.
    Exception,
    /// Tasks await each other's results in a circle; nobody is kept from running by a lock.
    AwaitCycle,
    /// Somebody waits for a condition that nobody will make true.
    Stuck,
    /// A packet goes round in a network.
    Loop,
    /// A packet disappears in a network, and no rule says so.
    Blackhole,
    /// A network does what its policy forbids.
    Policy,
}

impl FaultKind {
    /// Whether it is one of all processes together: nobody can get any further.
    pub fn is_standstill(self) -> bool {
        matches!(self, FaultKind::Deadlock | FaultKind::Livelock | FaultKind::AwaitCycle | FaultKind::Stuck)
    }
}

/// One failure: what, where, whose. `detail` holds the numbers of the message (which is the
/// machine's to word).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Whose.
    pub process: ProcessId,
    /// The place in the code; finer than the event's site where a step holds several operations.
    pub site: SiteId,
    /// Exit status: the status. Bounds: index and length. Overflow, division: the operands. Lock:
    /// the mutex's location and its owner. Data race: the other access's site, and the location.
    pub detail: [Value; 2],
}
