//! Objects: what a pointer points into.

use crate::native::Family;

/// An object that other threads can reach: accesses to it are visible.
pub(crate) const SHARED: u32 = u32::MAX;

/// An object that is to be looked at more closely: constant, dead, a function, not yet there.
pub(crate) const LOOK: u32 = u32::MAX - 1;

/// The maker of what no thread made.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Of an object whose cells are not of one size.
pub(crate) const UNEVEN: u8 = u8::MAX;

/// The life of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Life {
    /// Not there in this execution, or not yet.
    Unborn,
    /// There.
    Live,
    /// Given back, or its scope was left.
    Dead,
}

/// What an object is, with where it is described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nothing: the null pointer's object.
    Null,
    /// A global variable, by its index.
    Global(u32),
    /// A global that must not be written.
    Constant(u32),
    /// A function; it has no bytes.
    Function(u32),
    /// A thread's own copy of a thread-local global.
    ThreadLocal(u32),
    /// A block of the heap, with its shape.
    Heap(u32),
    /// A local of a frame, by its index.
    Stack(u32),
    /// What a thread's handle points to; it has no bytes.
    Thread,
    /// No object of the program: what an event names that concerns all of memory.
    Library,
}

/// One object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    /// Who may use it without a further look: the thread that it is private to, or [`SHARED`];
    /// nobody where it is [`LOOK`].
    pub(crate) access: u32,
    /// Where its bytes are.
    pub(crate) base: u32,
    /// How many bytes it has.
    pub(crate) size: u32,
    /// How many of them are undefined.
    pub(crate) undefined: u32,
    /// The location of its first cell, where it is shared.
    pub(crate) first: u32,
    /// Its partition into cells.
    pub(crate) partition: u32,
    /// The thread that made it.
    pub(crate) maker: u32,
    /// Where in the program it was allocated, for blocks of the heap.
    pub(crate) site: u32,
    pub(crate) kind: Kind,
    pub(crate) life: Life,
    /// Where all its cells are of one size, a power of two: its logarithm; otherwise [`UNEVEN`].
    pub(crate) shift: u8,
    /// It has been published.
    pub(crate) shared: bool,
    /// What a block of the heap was made by.
    pub(crate) family: Family,
}

impl Object {
    /// The null object, and every object before it is there.
    pub(crate) const NONE: Object = Object {
        access: LOOK,
        base: 0,
        size: 0,
        undefined: 0,
        first: 0,
        partition: 0,
        maker: NOBODY,
        site: 0,
        kind: Kind::Null,
        life: Life::Unborn,
        shift: UNEVEN,
        shared: false,
        family: Family::Malloc,
    };

    /// What `access` is while the object lives.
    pub(crate) fn open(&self) -> u32 {
        match self.kind {
            Kind::Global(_) => SHARED,
            Kind::ThreadLocal(_) | Kind::Heap(_) | Kind::Stack(_) if self.shared => SHARED,
            Kind::ThreadLocal(_) | Kind::Heap(_) | Kind::Stack(_) => self.maker,
            Kind::Null | Kind::Constant(_) | Kind::Function(_) | Kind::Thread | Kind::Library => LOOK,
        }
    }
}
