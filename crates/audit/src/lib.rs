//! Checks what an exploration claims, slowly and by definition.
//!
//! Nothing here is clever, and nothing here comes from the crates that are checked: dependence of
//! two events, the happens-before order, the canonical form of a trace and the enumeration of all
//! interleavings are written a second time, from their definitions. This crate never imports the
//! explorer.
//!
//! - [`brute_force`] runs every interleaving of a machine and gives a [`Census`]: how many there
//!   are, how many Mazurkiewicz traces they make, which final states, faults and deadlocks they
//!   show.
//! - [`for_each_state`] shows every state of every interleaving.
//! - [`Watch`] is a machine around a machine. Whoever drives it is watched, and gets the same
//!   census of the executions it really ran: what an algorithm explored can be compared with what
//!   there is, trace by trace.
//! - [`check_contract`] runs parts of random executions again in other orders: a machine that keeps
//!   its contract gives the same events. [`compare_visible`] compares a machine that leaves events
//!   out with one that does not.
//! - [`check_claim`] runs a schedule that is said to show a violation, and looks whether it does.

mod brute;
mod census;
mod claim;
mod contract;
mod dependence;
mod form;
mod names;
mod observed;
mod path;
mod states;
mod watch;

pub use brute::{Budget, TooLarge, brute_force};
pub use census::{Census, Final, Finding, Seen, Waiter};
pub use claim::{Claim, check_claim};
pub use contract::{Breach, Probes, check_contract, compare_visible};
pub use dependence::{dependent, happens_before};
pub use form::Form;
pub use states::for_each_state;
pub use watch::Watch;
