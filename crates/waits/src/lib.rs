//! Static analysis of waits: in which order threads take locks, and whose ends they wait for.
//!
//! A front end describes what a program does with locks as a [`Skeleton`]: bodies of code reduced
//! to the operations on abstract locks and threads. What follows from it is the same for every
//! front end: which locks are held where ([`held`]), who may wait for whom, and which circles of
//! waits can close ([`Analysis`]).
//!
//! # Guarantee
//! If some schedule, with any data, comes to a standstill, then one of three things is so: an open
//! cycle of the analysis describes it; a thread ended with a lock that another one waits for, which
//! is a cycle of its own kind; or somebody waits in a communication ([`Operation::Communicate`]),
//! of which nothing is proved. It counts on the skeleton: it has every path of the program, and
//! each operation names all the locks and threads that it can mean.
//!
//! # Names
//! lock-order graph → the edges of [`Analysis`]; gate lock → a lock in the sure sets of two edges;
//! may-happen-in-parallel → [`overlap`].
//!
//! # Deviations
//! 1. States of locks are kept apart along paths, up to a bound, instead of one set for each point:
//!    what is held after a branch stays correlated.
//! 2. Cycles are the elementary ones of the graph. A closed walk that passes an abstract lock twice
//!    contains an elementary cycle, and whatever excludes that one excludes the walk: threads that
//!    are the same, gate locks and order are matters of two edges. Readers are told apart only
//!    where a lock is one concrete lock.
//!
//! # Tests
//! `tests/`; with programs, crate `testkit`.

mod analysis;
mod circles;
mod condense;
mod cycles;
pub mod held;
pub mod mutation;
pub mod overlap;
mod skeleton;
mod standstill;

pub use analysis::{Analysis, Cycle, CycleKind, Step};
pub use circles::{Any, Circle, Circles};
pub use cycles::{Cycles, Successors, components, cycles};
pub use skeleton::{Body, BodyId, Lock, LockId, Node, Operation, PlaceId, Reentry, Skeleton, Thread, ThreadId};
pub use standstill::Blame;
