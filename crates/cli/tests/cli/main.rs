//! The program as a user runs it.

mod bench;
mod c;
mod check;
mod refusals;
mod replay;
mod sandbox;
