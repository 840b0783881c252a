//! The program as a user runs it.

mod check;
mod refusals;
mod replay;
mod sandbox;
