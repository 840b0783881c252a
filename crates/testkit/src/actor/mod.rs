//! Random ABS programs, and every algorithm on them.
//!
//! - [`generate_actors`] makes the program of a seed.
//! - [`check_actors`] runs every algorithm on a program, and the tests of the machine's contract.
//! - [`fuzz_methods`] does so with the constraints between methods that a solver finds or proves.
//! - [`check_damaged`] reads a damaged file.
//! - [`check_deadlocks`] compares the analysis of deadlocks with brute force.
//! - [`fuzz_actors`] runs every algorithm for a seed, and makes small what disagrees.

mod check;
mod circles;
mod commuting;
mod constrained;
mod damage;
mod deadlocks;
mod fuzz;
mod generate;
mod program;

pub use check::{ActorChecks, check_actors};
pub use commuting::generate_commuting;
pub use constrained::{MethodFinder, check_methods, fuzz_methods, method_contradictions};
pub use damage::{Damaged, check_damaged, damage};
pub use deadlocks::{Waits, check_deadlocks};
pub use fuzz::{ActorFailure, fuzz_actors, fuzz_deadlocks};
pub use generate::{generate_actors, generate_circles};
pub use program::{ActorProgram, Code, Shape};
