//! Exploring the executions of a machine: one driver, and a folder of decisions for each algorithm.

mod backtrack;
mod choices;
mod driver;
mod estimate;
mod execution;
mod findings;
pub mod mutation;
mod optimal;
mod options;
mod processes;
mod races;
mod search;
mod shorten;
mod sleep;

pub use estimate::{Estimate, Estimator};
pub use options::{Algorithm, Limits, Monitor, Options};
pub use shorten::{preemptions, shorten};

use mazurka_machine::Machine;
use mazurka_trace::Outcome;

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
