//! Exploring the executions of a machine: one driver, and a folder of decisions for each algorithm.

mod awake;
mod checkpoint;
mod choices;
mod cursor;
mod dpor;
mod driver;
mod estimate;
mod execution;
mod explain;
mod findings;
mod frontier;
mod guided;
mod hunt;
mod listener;
pub mod mutation;
mod names;
mod options;
mod order;
mod pace;
mod parallel;
mod pick;
mod plain;
mod plan;
mod races;
mod random;
mod run;
mod search;
mod shorten;
mod sleep;
mod told;
mod unfolding;

pub use checkpoint::{Checkpoint, Counts, Keeping, KeptNode};
pub use estimate::{Estimate, Estimator};
pub use guided::{Reduction, explore_guided};
pub use hunt::hunt;
pub use options::{Limits, Monitor, Options};
pub use parallel::{Kept, explore_parallel};
pub use plan::{Algorithm, Capabilities, Plan, Reason};
pub use shorten::{preemptions, shorten};
pub use told::{Distinct, NamedSchedule, Told};

use mazurka_machine::Machine;
use mazurka_trace::{Explanation, Outcome, UnfoldedEvent};

use explain::Explanations;
use hunt::Hunt;
use pace::Pace;
use run::begins_again;

/// Explores the executions of a machine, and leaves it in its initial state.
pub fn explore<M: Machine>(machine: &mut M, options: &Options, monitor: &Monitor) -> Outcome {
    monitor.timed(options.limits.timeout, || {
        loop {
            let pace = Pace::new(monitor, options.limits.timeout);
            let outcome = run::explore(machine, options, pace, Box::new(()));
            if !begins_again(machine, options, &outcome) {
                return outcome;
            }
        }
    })
}

/// Explores as [`explore`] does, and hunts for failures beside that, from a seed, where it does not
/// end soon. Whichever finds a failure first ends both. A proof, and all that it counts, is the
/// same as that of [`explore`].
///
/// `make` makes machines of the same program. Where the hunt found a failure, `machine` is replaced
/// by one of them: the numbers of processes, places and locations in the outcome are that one's.
/// There is no hunt where all failures are to be found, context switches are limited, or executions
/// are random anyway.
pub fn explore_hunting<M: Machine>(
    machine: &mut M,
    make: &dyn Fn() -> M,
    seed: u64,
    options: &Options,
    monitor: &Monitor,
) -> Outcome {
    if options.all || options.limits.switches.is_some() || options.algorithm.is_random() {
        return explore(machine, options, monitor);
    }
    monitor.timed(options.limits.timeout, || {
        loop {
            let mut hunt = Hunt::new(make, seed, options);
            let mut pace = Pace::new(monitor, options.limits.timeout);
            pace.accompany(&mut hunt);
            let outcome = run::explore(machine, options, pace, Box::new(()));
            let outcome = hunt.conclude(outcome, machine);
            if !begins_again(machine, options, &outcome) {
                return outcome;
            }
        }
    })
}

/// Explores as [`explore`] does, with what is remarked on the way: what was left out because of
/// states, and why.
pub fn explain<M: Machine>(machine: &mut M, options: &Options, monitor: &Monitor) -> (Outcome, Vec<Explanation>) {
    monitor.timed(options.limits.timeout, || {
        loop {
            let pace = Pace::new(monitor, options.limits.timeout);
            let mut explanations = Explanations::default();
            let outcome = run::explore(machine, options, pace, Box::new(&mut explanations));
            if !begins_again(machine, options, &outcome) {
                return (outcome, explanations.into_all());
            }
        }
    })
}

/// Explores the unfolding of a machine's program as [`explore`] does, and gives all its events that
/// were met: for a drawing. Where there are more than `most`, only their number. With an algorithm
/// that does not explore the unfolding, nothing is explored.
pub fn unfold<M: Machine>(
    machine: &mut M,
    options: &Options,
    monitor: &Monitor,
    most: usize,
) -> (Outcome, Result<Vec<UnfoldedEvent>, u64>) {
    monitor.timed(options.limits.timeout, || {
        loop {
            let pace = Pace::new(monitor, options.limits.timeout);
            let (outcome, events) = run::unfold(machine, options, pace, most);
            if !begins_again(machine, options, &outcome) {
                return (outcome, events);
            }
        }
    })
}
