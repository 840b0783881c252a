//! Software-defined networks: a front end.
//!
//! [`compile()`] makes a [`Network`] of a text, [`Image::new`] makes it ready, [`NetworkMachine`]
//! runs it.

mod barriers;
mod check;
mod eval;
mod export;
mod hir;
mod image;
mod machine;
pub mod statics;
mod syntax;

pub use barriers::Place;
pub use check::compile;
pub use hir::Network;
pub use image::{Barriers, Image};
pub use machine::{DEFAULT_FUEL, NetworkMachine, mutation};
