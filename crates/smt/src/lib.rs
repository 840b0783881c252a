//! Terms of logic, and a solver that decides them.
//!
//! [`term`] builds formulas of booleans, integers, arrays and uninterpreted functions; [`solver`]
//! gives them to a solver process. Nothing here knows of programs.

pub mod solver;
pub mod synthesis;
pub mod term;

pub use solver::{Answer, Error, Settings, Solver, Supply};
pub use term::{Arena, Function, Op, Sort, Term, Value};
