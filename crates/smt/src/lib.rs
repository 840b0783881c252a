//! Terms of logic, and a solver that decides them.
//!
//! [`term`] builds formulas of booleans, integers, arrays and uninterpreted functions; [`solver`]
//! gives them to a solver process, [`look()`] decides the simple ones without it. Nothing here
//! knows of programs.

pub mod look;
pub mod solver;
pub mod synthesis;
pub mod term;

pub use look::{Look, look};
pub use solver::{Answer, Error, Settings, Solver, Supply};
pub use term::{Arena, Assignment, Function, Op, Sort, Term, Value};
