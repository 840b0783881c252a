//! The front end for C and C++: LLVM bitcode, read without LLVM, lowered to a register code, and
//! run by a machine that rewinds.

pub mod bitcode;
pub(crate) mod code;
mod describe;
pub mod ir;
pub(crate) mod library;
mod link;
mod lower;
pub(crate) mod machine;
pub mod mutation;
pub mod native;
pub mod skeleton;

pub use code::{Image, Settings};
pub use lower::{Unsupported, compile};
pub use machine::{CMachine, DEFAULT_FUEL};
