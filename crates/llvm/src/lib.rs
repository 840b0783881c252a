//! The front end for C and C++: LLVM bitcode, read without LLVM, lowered to a register code, and run by a machine that rewinds.

pub(crate) mod code;
pub mod bitcode;
pub mod ir;
pub(crate) mod machine;
pub mod native;
