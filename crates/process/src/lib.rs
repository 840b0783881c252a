//! The process notation: a front end.

mod check;
mod code;
mod constraint;
pub mod hir;
mod lower;
mod machine;
mod operator;
mod skeleton;
pub mod symbolic;
mod syntax;

pub use check::compile;
pub use code::Image;
pub use constraint::{Constraint, Declared, Found, Synthesised, synthesise, verify};
pub use machine::{DEFAULT_FUEL, ProcessMachine};
pub use mazurka_source::{Diagnostic, LineIndex, Note};
