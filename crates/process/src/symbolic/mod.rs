//! Steps as formulas: what a step of the process notation does, for all states at once.
//!
//! A [`Symbolic`] program offers, for each place where a process can rest, the step from there as a
//! [`Transition`]: when it is blocked, when it fails and how, what it assigns, where it leads, what
//! it spawns, and which locations it uses, all as terms over the state before. The state is handed
//! in as terms ([`State`]), so whoever asks decides what stands for what: variables of a frame, of
//! a block's parameters, or constants. It follows the code that the machine runs, instruction by
//! instruction, so the two mean the same; a test compares them step by step.
//!
//! *Values.* Integers are `Int`, boolean variables `Bool`, arrays `Array` (also those of booleans,
//! as 0 and 1), a mutex holds the number of its owner or [`FREE`] as `Int`, an array of mutexes is
//! an `Array` of those.
//!
//! *Branches* are merged where they meet, so a step has one resulting state, whatever its number of
//! paths.
//!
//! *Loops* within a step are unrolled ([`Limits::rounds`]); where that is not enough,
//! [`Transition::cuts`] says when and where, and nothing else of the transition speaks of those
//! cases. Or they are uninterpreted functions of what they use, where that is requested.

mod body;
mod execute;
mod instruction;
mod path;
mod summary;
mod transition;

pub(crate) use body::sort as sort_of;
pub use body::{Body, Object, Place, Symbolic};
pub use execute::ChoiceVariables;
pub(crate) use instruction::{PRODUCT, QUOTIENT, REMAINDER};
pub use transition::{Access, AccessKind, Choice, Cut, Fault, Next, Spawn, Start, State, Transition};

/// The owner of a mutex that nobody holds.
pub const FREE: i64 = crate::code::FREE;

/// How far a step is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rounds of a loop within one step, each time it is entered.
    pub rounds: usize,
    /// Instructions of one step in all, over all its paths.
    pub instructions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { rounds: 16, instructions: 100_000 }
    }
}
