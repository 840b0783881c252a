//! The machine: runs a lowered C program, step by step, and takes steps back.

pub(crate) mod call;
mod digest;
mod event;
mod frames;
mod log;
mod memory;
mod object;
mod state;
mod thread;
