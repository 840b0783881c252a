//! Threads: their frames and registers, and what the machine knows of each for its whole life.
//!
//! A thread is known by who created it and as which of its creations; its number is given out the
//! first time it is met. The slots of what it makes (heap blocks, stack objects, thread-locals) are
//! found by the thread and a count of its own, so they do not depend on what other threads do.

use mazurka_trace::{LocationId, ProcessId, Value};

use super::digest::Name;
use super::joins::Join;
use super::pasts::Past;

/// How a thread rests before its next visible operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    /// Before an access to memory, or an atomic block that cannot block: it can always be stepped.
    Ready,
    /// Before a call of a function that the machine models.
    Native,
    /// Before an atomic block that may block.
    Atomic,
    /// Before a data choice in local code, or before local code that fails: a local step.
    Local,
    /// Before the load of a loop that waits for what it reads.
    Await,
    /// At the head of a loop whose last iteration changed nothing.
    Spin,
    /// After joins that it has gone past: it waits for the ends of threads.
    Join,
    /// Before an atomic access after which an assumption may fail: see
    /// [`assumptions`](super::assumptions).
    Assume,
    /// Before the end of the program: see [`exits`](super::exits).
    Exit,
}

/// One activation of a function. A copy of it and of its registers is all it takes to restore it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    /// The instruction it stands at: the call, where another frame is on top of it.
    pub(crate) pc: u32,
    /// Where its registers begin.
    pub(crate) base: u32,
    /// How many registers it has.
    pub(crate) size: u32,
    /// How far the call of a native has come.
    pub(crate) phase: u32,
    /// How many stack objects there were when it was entered.
    pub(crate) stack: u32,
    pub(crate) rest: Rest,
}

/// The words of a thread that change in the course of an execution.
pub(crate) mod word {
    /// Bits: see [`super::state`].
    pub(crate) const STATE: usize = 0;
    /// What it ended with.
    pub(crate) const RESULT: usize = 1;
    /// How many heap blocks it has allocated.
    pub(crate) const HEAP: usize = 2;
    /// How many threads it has created.
    pub(crate) const SPAWNS: usize = 3;
    /// How many stack objects it has.
    pub(crate) const STACK: usize = 4;
    /// How many threads may still run, as far as it knows: those created less those joined by their
    /// creators, in its causal past. A thread that somebody else has joined counts for ever: its
    /// creator's account may not be known yet.
    pub(crate) const BALANCE: usize = 5;
    /// The function it began with.
    pub(crate) const FUNCTION: usize = 6;
    /// How often it has noticed, at the head of a loop or at the end of a step, that it had changed
    /// something.
    pub(crate) const CLOCK: usize = 7;
    /// The first of the library's own.
    pub(crate) const LIBRARY: usize = 8;
    /// How many of the joins that it has gone past are done.
    pub(crate) const JOINS: usize = 12;
    /// The locks that it has taken and not given back since it watches loops, as one number.
    pub(crate) const LOCKS: usize = 13;
    /// How often somebody who tried to take a lock has seen that it held it: known when it gave the
    /// lock back.
    pub(crate) const NOTICED: usize = 14;
    /// How many waits have run out of time, how many in a row at the same place, and where the last
    /// one stood.
    pub(crate) const TIMEOUTS: usize = 15;
    /// The read-write locks that it holds as a reader, by name in them, as one number: the sum of
    /// hashes of their addresses. That is the value of its handle.
    pub(crate) const READING: usize = 16;
    /// How many locks it has taken since it watches loops.
    pub(crate) const TAKEN: usize = 17;
    /// How many there are.
    pub(crate) const COUNT: usize = 18;
}

/// Added to [`word::BALANCE`] of the first thread where it is never to count as alone.
pub(crate) const NEVER_ALONE: u64 = 1 << 32;

/// Bits of [`word::STATE`].
pub(crate) mod state {
    /// It has been started in this execution.
    pub(crate) const STARTED: u64 = 1;
    /// It has ended.
    pub(crate) const ENDED: u64 = 2;
    /// Nobody will join it.
    pub(crate) const DETACHED: u64 = 4;
    /// It has been joined.
    pub(crate) const JOINED: u64 = 8;
    /// Some of its registers may be undefined.
    pub(crate) const CAREFUL: u64 = 16;
    /// The library does what it has to do at its end.
    pub(crate) const FINISHING: u64 = 32;
    /// Its creator has come to a join that waits for its end, and may have gone past it. Nobody
    /// else asks.
    pub(crate) const CLAIMED: u64 = 64;
}

/// A position of a thread's stack: the slots that it has had, one for each generation. A new
/// generation begins when an object goes that others knew of, so that they never take a new object
/// for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Position {
    pub(crate) slots: Vec<u32>,
    pub(crate) generation: usize,
}

/// What a thread knew when it last came to the head of a loop that may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Watch {
    /// The depth of the frame.
    pub(crate) depth: u32,
    /// The loop.
    pub(crate) repeat: u32,
    /// A hash of all registers that matter.
    pub(crate) registers: u64,
    /// What it held: see [`word::LOCKS`].
    pub(crate) held: u64,
    /// See [`word::TAKEN`].
    pub(crate) taken: u64,
    /// See [`word::CLOCK`].
    pub(crate) clock: u64,
    /// How much the thread had read.
    pub(crate) reads: u32,
    /// See [`word::NOTICED`] and [`word::TIMEOUTS`].
    pub(crate) noticed: u64,
    pub(crate) timeouts: u64,
    /// How many iterations have changed nothing, but were noticed.
    pub(crate) rounds: u32,
    /// Where a wait ran out of time, and what the thread has read from there on, in an iteration
    /// that changed nothing: see [`waiting`](super::waiting).
    pub(crate) late: Option<(u64, u32)>,
    /// An earlier visit of the head.
    pub(crate) anchor: Anchor,
}

/// A visit of the head of a loop that later ones are compared with, to find iterations that come
/// back to it together: see [`waiting`](super::waiting).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Anchor {
    /// As in [`Watch`].
    pub(crate) registers: u64,
    pub(crate) taken: u64,
    pub(crate) clock: u64,
    pub(crate) reads: u32,
    pub(crate) noticed: u64,
    pub(crate) timeouts: u64,
    /// How many visits ago that was, and after how many it is given up for a newer one.
    pub(crate) age: u32,
    pub(crate) span: u32,
}

/// A lock that a thread has taken since it watches loops, and not given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hold {
    /// Its address.
    pub(crate) lock: u64,
    /// It is so manieth that the thread has taken: see [`word::TAKEN`].
    pub(crate) number: u64,
    /// How often somebody has tried to take it since.
    pub(crate) noticed: u64,
}

/// A thread that the machine has met.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) frames: Vec<Frame>,
    /// The registers of all frames. What lies beyond the last frame means nothing.
    pub(crate) registers: Vec<u64>,
    /// Which bits of the registers are undefined; empty until some is.
    pub(crate) taints: Vec<u64>,
    /// The loops that may wait, where it has come by.
    pub(crate) watches: Vec<Watch>,
    /// The locks that it has taken since there are watches.
    pub(crate) holds: Vec<Hold>,
    /// The locations read since there are watches, with what they held.
    pub(crate) reads: Vec<(LocationId, Value)>,
    /// The joins that it has gone past.
    pub(crate) joins: Vec<Join>,
    /// Its own past, if that is known.
    pub(crate) past: Past,
    /// Who created it, as which of its creations.
    pub(crate) origin: Option<(ProcessId, u32)>,
    /// The function it began with last, and its arguments.
    pub(crate) function: u32,
    pub(crate) arguments: Vec<u64>,
    /// Its name.
    pub(crate) name: Name,
    /// A number that does not depend on the interleaving.
    pub(crate) tag: u32,
    /// The slot of its handle.
    pub(crate) handle: u32,
    /// The threads it creates.
    pub(crate) children: Vec<ProcessId>,
    /// The slots of its heap blocks.
    pub(crate) heap: Vec<u32>,
    /// The slots of its stack objects.
    pub(crate) stack: Vec<Position>,
    /// The slots of its thread-locals, with their globals.
    pub(crate) thread_locals: Vec<(u32, u32)>,
}
