//! What not every machine can do. A machine that cannot says so in one line: `impl DataRaces for
//! MyMachine {}`.

use mazurka_trace::{AccessKind, Fault, LocationId, ProcessId, SiteId, Value};

#[cfg(doc)]
use crate::MODERATE;
use crate::{Constrained, Independence};

/// A machine that knows something about when steps commute.
pub trait Constraints {
    /// Whether anything is known about when steps commute: see [`Constraints::constrained`].
    fn has_constraints(&self) -> bool {
        false
    }

    /// What is known, in general, about when steps from these sites commute.
    fn constrained(&self, _one: SiteId, _other: SiteId) -> Constrained {
        Constrained::Unknown
    }

    /// What the constraints say about the next steps of two live processes in the current state.
    fn independence(&mut self, _one: ProcessId, _other: ProcessId) -> Independence {
        Independence::Unknown
    }

    /// Adds the locations whose values the last answer of [`Constraints::independence`] was about,
    /// where it was that steps are uniformly independent.
    fn reasons(&self, _locations: &mut Vec<LocationId>) {}

    /// Whether a live process other than these two, or one that it creates, may ever write a
    /// location from the current state on.
    fn others_may_write(&self, _one: ProcessId, _other: ProcessId, _location: LocationId) -> bool {
        true
    }

    /// Whether live processes other than this one, or those that they create, may do something that
    /// depends on one of these accesses, in some execution that goes on from the current state,
    /// before this process steps. By default nobody knows.
    fn others_may_interfere(&self, _process: ProcessId, _accesses: &[(LocationId, AccessKind)]) -> bool {
        true
    }

    /// The largest integer, without its sign, among what a process has of its own.
    fn magnitude(&self, _process: ProcessId) -> u64 {
        0
    }

    /// Whether integers may be as large as they like, so that no operation overflows in any order
    /// of steps: see [`MODERATE`].
    fn has_large_integers(&self) -> bool {
        false
    }
}

/// A machine that several workers can have, each with one of its own.
pub trait Companion: Sized {
    /// Companions give processes and locations the same numbers. Where they do not, processes are
    /// told by their names, and what a step uses is found out by each of them.
    const NUMBERS_AGREE: bool = false;

    /// Another machine of the same program, in its initial state, for another worker. What a
    /// program can tell the numbers of (addresses) has the same numbers in both.
    fn companion(&self) -> Self;

    /// Another worker's machine has explored another part of the program: what it has noticed
    /// counts when this one is asked whether it [reconsiders](crate::Run::reconsiders).
    fn consult(&mut self, _other: &Self) {}

    /// What the machine has noticed, and what the numbers are that a program can tell: for another
    /// machine of the program, perhaps in another process, that goes on with its work.
    fn remember(&self) -> Vec<i64> {
        Vec::new()
    }

    /// For a machine in its initial state: takes over what another one
    /// [remembers](Companion::remember). Several may be taken over, one after the other.
    fn recall(&mut self, _notes: &[i64]) {}
}

/// A machine that looks for data races.
pub trait DataRaces {
    /// Whether [`DataRaces::data_race`] can ever find anything.
    fn detects_data_races(&self) -> bool {
        false
    }

    /// Whether two live processes stand before accesses to the same bytes, one of them a write and
    /// not both atomic: a data race. The fault is that of `one`.
    fn data_race(&mut self, _one: ProcessId, _other: ProcessId) -> Option<Fault> {
        None
    }
}

/// A machine that can tell what would be if locations had other values.
pub trait Imagination {
    /// What a location of memory held before a step of the current execution that changed it. None
    /// where the machine does not know, and then it cannot [`imagine`](Self::imagine) values,
    /// either.
    fn value_before(&self, _location: LocationId, _step: usize) -> Option<Value> {
        None
    }

    /// Gives locations of memory other values, until [`Imagination::forget`]: to see what processes
    /// would do. Steps taken in between are to be taken back before; nobody asks for digests.
    fn imagine(&mut self, _values: &[(LocationId, Value)]) {}

    /// Gives all locations the values that they have.
    fn forget(&mut self) {}
}
