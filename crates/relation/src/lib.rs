//! When two events are dependent. The order by conflict tells the same from links, for speed (crate
//! `explore`, `execution::dependence`): who changes one changes both.
//!
//! Two events of different processes are dependent when their order can matter: one can change what
//! the other does, or whether it can run at all. The relation looks only at what the events did.
//! What it does not know is dependent.
//!
//! - Memory: two uses of one location, not both of them reads.
//! - Mutexes: every two operations on one mutex.
//! - Waiting (`await`, `lock`): the condition's reads and the mutex are part of the event, so
//!   whoever can enable or disable it is dependent with it.
//! - An event that ends the execution is dependent with everything.
//! - Creating a process comes before everything the new process does, and that comes before whoever
//!   waits for its end; this order is by cause, like that of one process's own steps, and is kept
//!   by whoever computes happens-before.
//! - Observers, for the engines that ask for [`Dependence`]: two events that both merely write
//!   wherever they meet are dependent only if somebody reads what they leave there. What else they
//!   use does not matter. A read-modify-write observes.
//! - Data choices are local: they concern nobody else.

mod footprint;

pub use footprint::{Contested, Dependence, Footprint, Footprints};

use mazurka_trace::AccessKind;

/// Whether the order of two uses of one location, by different processes, can matter.
#[inline]
pub fn conflicts(one: AccessKind, other: AccessKind) -> bool {
    use AccessKind::{Acquire, Cycle, Halt, Read, Release, Update, Write};
    match (one, other) {
        (Read, Read) => false,
        (Read, Write | Update) | (Write | Update, Read | Write | Update) => true,
        (Acquire | Release | Cycle, Acquire | Release | Cycle) => true,
        (Halt, _) | (_, Halt) => true,
        // A location is memory or a mutex, never both.
        (Read | Write | Update, Acquire | Release | Cycle) | (Acquire | Release | Cycle, Read | Write | Update) => true,
    }
}
