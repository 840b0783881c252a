//! The program as a user runs it.

mod actors;
mod bench;
mod bmc;
mod c;
mod check;
mod checkpoints;
mod constraints;
mod contexts;
mod deadlocks;
mod hunt;
mod networks;
mod plans;
mod readme;
mod refusals;
mod replay;
mod sandbox;
mod tests;
mod threads;
