//! The process notation: a front end.

pub mod hir;
