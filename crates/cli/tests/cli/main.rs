//! The program as a user runs it.

mod bench;
mod check;
mod refusals;
mod replay;
mod sandbox;
