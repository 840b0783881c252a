//! Dynamic partial order reduction: engines that explore interleavings, and reverse the races of
//! each one that they have explored.
//!
//! - [`backtrack`]: `none`, `dpor`, `source`, `cs`, `constrained`. A node has a set of processes.
//! - [`optimal`]: `optimal`, `observers` and all that is combined with them. A node has a tree of
//!   sequences.
//! - [`context`]: whether a race commutes where it happens, with [`dont`], the sequences that need
//!   not be run because of that, and [`inevitable`], where a node needs nothing else.
//! - [`divided`]: what several workers can explore by, and each one's [`way`] from cone to cone.

pub(crate) mod backtrack;
mod checking;
pub(crate) mod context;
mod cuts;
pub(crate) mod divided;
pub(crate) mod dont;
mod inevitable;
pub(crate) mod optimal;
mod processes;
mod way;
