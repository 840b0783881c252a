//! Initial contexts: which locations exist, and which tasks wait in them.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, *Generation of initial contexts for effective deadlock
//! detection*, LOPSTR 2017: Definitions 1 to 4.
//!
//! # Guarantee
//! [`Contexts`] gives one context of each class of equivalent ones, and each once. [`count()`] says
//! how many there are without generating them.
//!
//! # Names
//! Tini → [`Class`]es of [`Interval`]s; location → a vector that says how many tasks of each method
//! wait there; equivalent contexts → equal up to the names of locations.
//!
//! # Deviations
//! 1. The paper solves constraints and removes equivalent solutions. Here contexts are generated in
//!    a normal form, so none is generated twice and nothing is stored.
//! 2. The order is fixed: fewest tasks first, then fewest locations.
//!
//! # Cost
//! Counting: the square of the number of vectors of a class. Generating: constant memory; the time
//! for a context does not depend on how many there are.
//!
//! # Tests
//! `tests/contexts.rs`: the paper's figures; the definition, by brute force.

mod count;
mod partition;
mod stream;

pub use count::{MOST_VECTORS, count, count_of_class};
pub use num_bigint::BigUint;
pub use stream::Contexts;

/// The largest number of tasks of a method.
pub const MOST_TASKS: u8 = 64;

/// How many initial tasks of a method there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// At least so many.
    pub least: u8,
    /// At most so many.
    pub most: u8,
}

impl Interval {
    /// From `least` to `most`; none if there is no number between them, or too many are allowed.
    pub fn new(least: u8, most: u8) -> Option<Interval> {
        (least <= most && most <= MOST_TASKS).then_some(Interval { least, most })
    }
}

/// The methods of a class of which there are initial tasks.
pub type Class = Vec<Interval>;

/// A location: its class, and how many tasks of each method wait there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location<'c> {
    /// The number of its class.
    pub class: usize,
    /// How many tasks of each method of the class.
    pub tasks: &'c [u8],
}

/// Whether each location of one context can be told a location of the other of its own: of the same
/// class, with the same tasks and perhaps more. What can happen in the first can then happen in the
/// second, since nothing forces a task to run.
pub fn embeds(small: &[Location<'_>], large: &[Location<'_>]) -> bool {
    let mut taken: Vec<Option<usize>> = vec![None; large.len()];
    (0..small.len()).all(|location| {
        let mut tried = vec![false; large.len()];
        place(location, small, large, &mut taken, &mut tried)
    })
}

/// Finds a place for a location, moving others where necessary: an augmenting path.
fn place(
    location: usize,
    small: &[Location<'_>],
    large: &[Location<'_>],
    taken: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    // Each entry is a location and the next place to try for it. The path is as long as there are
    // locations.
    let mut path = vec![(location, 0)];
    while let Some(&mut (mover, ref mut next)) = path.last_mut() {
        let Some(at) = (*next..large.len()).find(|&at| !tried[at] && fits(small[mover], large[at])) else {
            path.pop();
            continue;
        };
        *next = at + 1;
        tried[at] = true;
        match taken[at] {
            Some(other) => path.push((other, 0)),
            None => {
                for &(mover, next) in &path {
                    taken[next - 1] = Some(mover);
                }
                return true;
            }
        }
    }
    false
}

fn fits(small: Location<'_>, large: Location<'_>) -> bool {
    small.class == large.class && small.tasks.iter().zip(large.tasks).all(|(few, many)| few <= many)
}
