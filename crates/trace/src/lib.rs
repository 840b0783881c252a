//! The words of the theory: typed ids, accesses, events, choices, schedules, clocks, faults and
//! outcomes.
//!
//! This crate knows no program and no algorithm. Everything a relation or an exploration algorithm
//! may know about what a program did is said in these types.

mod access;
mod clock;
mod event;
mod explanation;
mod fault;
mod id;
mod outcome;
mod process_set;

pub use access::{Access, AccessKind, Value};
pub use clock::Clocks;
pub use event::{Choice, Ending, Event, Schedule, Scheduled};
pub use explanation::{Check, Comparison, Explanation};
pub use fault::{Fault, FaultKind};
pub use id::{EventId, LocationId, ProcessId, SiteId};
pub use outcome::{Busiest, Hunted, HuntedBy, Limit, Outcome, Unfolded, UnfoldedEvent, Verdict, Violation, Waiting};
pub use process_set::ProcessSet;
