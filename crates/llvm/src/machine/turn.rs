//! A thread's turn: what it has while it runs, and how that ends.

use mazurka_trace::{Event, FaultKind, ProcessId, Value};

use crate::code::Image;

use super::call::Grant;
use super::frames::Copies;
use super::state::State;
use super::thread::Rest;
use super::waits::Waits;

/// Why the loop came to an end. The thread stands at the instruction that ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Before a visible operation that is not granted.
    Rests(Rest),
    /// Before an instruction that is the caller's to do.
    Pauses,
    /// Before an instruction that would leave an undefined value in a register.
    Careful,
    /// The thread's first function is about to return.
    Returned(u64),
    /// The thread ends.
    Ended(u64),
    /// Before a call that has to wait, although the step is granted.
    Blocked,
    /// The program ends.
    Halted,
    /// An assumption does not hold.
    Discarded,
    /// At a fault.
    Fault(FaultKind, [Value; 2]),
    /// No fuel is left.
    OutOfFuel,
}

/// Whether a load and the read-modify-write after it are one step: see [`trial`](super::trial).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Fuse {
    /// They are not.
    #[default]
    No,
    /// They are to be.
    May,
    /// The one at this place was.
    Did(u32),
}

/// What a thread has while it runs.
pub(crate) struct Turn<'a> {
    pub(crate) image: &'a Image,
    pub(crate) state: &'a mut State,
    pub(crate) copies: &'a mut Copies,
    pub(crate) event: &'a mut Event,
    pub(crate) choices: &'a [Value],
    pub(crate) thread: ProcessId,
    pub(crate) grant: Grant,
    /// For each function, whether something in it can have to wait.
    pub(crate) blocking: &'a [bool],
    /// How many atomic blocks it is in.
    pub(crate) atomic: u32,
    /// Frames from this depth on need no copy.
    pub(crate) saved: usize,
    pub(crate) fuel: u64,
    /// How long the log was when the thread last took note of what it has written.
    pub(crate) mark: usize,
    /// Whether what is read is to be remembered, since a loop may wait for it.
    pub(crate) watching: bool,
    /// How much the thread had read when the step began.
    pub(crate) reads: usize,
    /// The step is tried, to see whether it comes back to the head of a loop with nothing changed.
    pub(crate) trial: bool,
    /// Whether the next access is part of the same step.
    pub(crate) fuse: Fuse,
    pub(crate) waits: &'a Waits,
}
