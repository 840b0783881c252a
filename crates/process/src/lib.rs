//! The process notation: a front end.

mod check;
mod diagnostic;
pub mod hir;
mod syntax;

pub use check::compile;
pub use diagnostic::{Diagnostic, LineIndex, Note};
