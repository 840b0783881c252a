//! Random networks, and every algorithm on them.
//!
//! - [`generate_network`] makes the network of a seed.
//! - [`check_network`] runs every algorithm on it, and the tests of the machine's contract, with
//!   both kinds of barriers.
//! - [`compare_with_actors`] compares the flat machine with the same network as actors.

mod actors;
mod check;
mod generate;

pub use actors::{Explored, Fates, compare_with_actors, explore_exported, explore_flat};
pub use check::{NetworkChecks, check_network, load_network};
pub use generate::generate_network;
