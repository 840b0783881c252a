//! Exploring the executions of a machine: one driver, and a folder of decisions for each algorithm.

mod backtrack;
mod choices;
mod context;
mod dont;
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
pub use options::{Algorithm, Comparison, Limits, Monitor, Options};
pub use shorten::{preemptions, shorten};

use mazurka_machine::Machine;
use mazurka_trace::Outcome;

use backtrack::{Backtracking, Policy};
use context::Contextual;
use optimal::Optimal;
use search::Search;

/// Explores the executions of a machine, and leaves it in its initial state.
pub fn explore<M: Machine>(machine: &mut M, options: &Options, monitor: &Monitor) -> Outcome {
    let mut search = Search::new(machine, options, monitor);
    let backtracking = |policy| Backtracking::new(policy, Contextual::of(options.algorithm));
    match options.algorithm {
        Algorithm::None => driver::run(&mut search, &mut backtracking(Policy::Everything)),
        Algorithm::Dpor => driver::run(&mut search, &mut backtracking(Policy::Persistent)),
        Algorithm::Source | Algorithm::Cs => driver::run(&mut search, &mut backtracking(Policy::Source)),
        Algorithm::Optimal | Algorithm::OptimalCs => {
            driver::run(&mut search, &mut Optimal::new(Contextual::of(options.algorithm)));
        }
    }
    search.conclude()
}
