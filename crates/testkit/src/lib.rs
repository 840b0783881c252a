//! What tests are made with: random programs, `check_all_algorithms`, the corpus runner.
//!
//! - [`generate()`] makes the random program of a seed; [`shrink()`] makes a failing one small.
//! - [`check_all_algorithms`] runs every algorithm on a program and compares everything it says
//!   with brute force.
//! - [`check_renamed`] changes a program in ways that must not change what is found.
//! - [`check_verdicts`] and [`check_schedules`] compare bounded model checking with exploration and
//!   with brute force.
//! - [`c`] makes random C programs and compares all algorithms on them.
//! - [`network`] makes random networks and compares all algorithms on them.
//! - [`corpus`] compares the programs of the corpus with the counts that stand in them.
//! - [`count()`] tells what algorithms take, one beside the other.
//! - [`check_widths`] compares explorations of the unfolding with `optimal`.
//! - [`fuzz_seed`] does the first two for one seed after the other.

pub mod actor;
mod bounded;
pub mod c;
mod check;
mod constrain;
pub mod corpus;
mod counts;
mod fuzz;
mod fuzz_constrained;
mod fuzz_synthesised;
mod generate;
mod load;
mod metamorphic;
pub mod network;
pub mod program;
mod random;
mod shrink;
mod waits;
mod widths;

pub use bounded::{Schedules, check_schedules, check_verdicts, initial_processes};
pub use check::{Checks, Counts, Culprit, Disagreement, check_all_algorithms, check_image, check_machine};
pub use constrain::{constrain, contradictions};
pub use counts::{Took, count};
pub use fuzz::{Failure, Fuzzed, fuzz_seed};
pub use fuzz_constrained::{check_constrained, fuzz_constrained};
pub use fuzz_synthesised::{Finder, Tried, check_synthesised, fuzz_synthesised, try_pair};
pub use generate::{Profile, generate, generate_with};
pub use load::{load, machine};
pub use mazurka_explore::Algorithm;
pub use metamorphic::check_renamed;
pub use random::Random;
pub use shrink::shrink;
pub use waits::{LockOrder, check_c_lock_order, check_lock_order, compare_lock_order};
pub use widths::{WIDTHS, Widths, check_widths};
