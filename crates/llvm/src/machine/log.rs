//! The log that takes changes back.
//!
//! A change of memory is kept as the eight bytes at its address, whatever its width: undoing goes
//! strictly backwards, so bytes of neighbours in those eight are restored to what they were at that
//! time, and later changes to them have been undone before.

/// What a [`Change`] restores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum What {
    /// Eight bytes of memory.
    Bytes,
    /// Eight bytes of the shadow (which bytes are undefined).
    Shadow,
    /// Many bytes of memory: `old` of them are at the end of the pool.
    ManyBytes,
    /// Many bytes of the shadow, in the same way.
    ManyShadow,
    /// An object's description, at the end of the pool of them.
    Object,
    /// That a live object was: `old` is who could use it.
    Life,
    /// How many bytes of an object are undefined.
    Undefined,
    /// A word of a thread.
    Word,
    /// The generation of a position of a thread's stack: `at` is the thread, `old` the position.
    Generation,
    /// Length of the output.
    Output,
    /// What a thread knew of a loop: `at` is the thread, `old` the number of the watch; the rest is
    /// at the end of the pool.
    Watch,
    /// The locks that a thread held: `at` is the thread; the rest is at the end of the pool.
    Holds,
    /// How much a thread had read.
    Reads,
    /// How many joins a thread had gone past.
    Joins,
    /// One number of a clock: `at` is its row, the upper half of `old` its column.
    Clock,
}

/// One change: where, and what was there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) at: u32,
    pub(crate) what: What,
    pub(crate) old: u64,
}
