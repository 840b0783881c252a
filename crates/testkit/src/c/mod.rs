//! Random C programs, and every algorithm on them.
//!
//! - [`generate_c`] makes the program of a seed; [`CProfile`] says what it is mostly made of.
//! - [`generate_nested`] makes one in which threads take locks inside of each other.
//! - [`Compiler`] compiles many programs with one run of clang.
//! - [`check_c`] runs every algorithm on a program and the tests of the machine's contract.
//! - [`fuzz_c`] does so for many seeds, and makes small what disagrees.

mod build;
mod check;
mod fuzz;
mod generate;
mod menu;
mod nested;
mod profile;
mod program;

pub use build::{Compiled, Compiler};
pub use check::{CChecks, check_c};
pub use fuzz::{CFailure, fuzz_c};
pub use generate::generate_c;
pub use nested::generate_nested;
pub use profile::CProfile;
pub use program::{CFunction, CProgram, CStatement};
