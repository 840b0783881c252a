//! ABS, a language of concurrent objects: a front end.
//!
//! [`compile()`] makes an [`Image`] of source files, [`ActorMachine`] runs it.

mod call;
mod check;
mod code;
mod compile;
mod constraint;
pub mod deadlock;
mod fixpoint;
pub mod hir;
mod lower;
mod machine;
mod methods;
pub mod mutation;
mod options;
mod situation;
mod syntax;

pub use code::Image;
pub use compile::{Source, compile};
pub use constraint::{Declared, Found, Synthesised, TIME_FOR_PAIR, synthesise, verify};
pub use hir::InputType;
pub use machine::{ActorMachine, Bounds, Coverage, DEFAULT_FUEL, Ended, Oracle, Path, Summary, Target};
pub use methods::{ClassMethods, Refused};
pub use options::{Dependence, Dialect, ObjectChoice, Options, TaskChoice};
pub use situation::{Call, Candidates, Datum, Situation, Thing, Untried};
