//! Random ABS programs, and every algorithm on them.
//!
//! - [`generate_actors`] makes the program of a seed.
//! - [`check_actors`] runs every algorithm on a program, and the tests of the machine's contract.
//! - [`check_damaged`] reads a damaged file.
//! - [`fuzz_actors`] does so for a seed, and makes small what disagrees.

mod check;
mod circles;
mod damage;
mod fuzz;
mod generate;
mod program;

pub use check::{ActorChecks, check_actors};
pub use damage::{Damaged, check_damaged, damage};
pub use fuzz::{ActorFailure, fuzz_actors};
pub use generate::generate_actors;
pub use program::{ActorProgram, Code};
