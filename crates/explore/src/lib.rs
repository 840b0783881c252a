//! Exploring the executions of a machine: one driver, and a folder of decisions for each algorithm.

mod choices;
mod cursor;
mod dpor;
mod driver;
mod estimate;
mod execution;
mod explain;
mod findings;
mod guided;
mod hunt;
pub mod mutation;
mod names;
mod options;
mod order;
mod pace;
mod pick;
mod plain;
mod plan;
mod races;
mod random;
mod search;
mod shorten;
mod sleep;
mod unfolding;

pub use estimate::{Estimate, Estimator};
pub use guided::{Reduction, explore_guided};
pub use hunt::hunt;
pub use options::{Limits, Monitor, Options};
pub use plan::{Algorithm, Capabilities, Plan, Reason};
pub use shorten::{preemptions, shorten};

use mazurka_machine::Machine;
use mazurka_trace::{Explanation, Limit, Outcome, UnfoldedEvent};

use dpor::backtrack::{Backtracking, Policy};
use dpor::optimal::Optimal;
use driver::{Exploration, portfolio};
use explain::Explanations;
use hunt::Hunt;
use plan::{Engine, Parts};
use random::Sampling;
use search::Search;
use unfolding::Unfolding;

/// Explores the executions of a machine, and leaves it in its initial state.
pub fn explore<M: Machine>(machine: &mut M, options: &Options, monitor: &Monitor) -> Outcome {
    monitor.timed(options.limits.timeout, || {
        loop {
            let mut search = Search::planned(machine, options, monitor);
            run(&mut search, options);
            let outcome = search.conclude();
            if !begins_again(machine, options, &outcome) {
                return outcome;
            }
        }
    })
}

/// Whether the machine was wrong about the program, and what was explored does not settle it.
fn begins_again<M: Machine>(machine: &mut M, options: &Options, outcome: &Outcome) -> bool {
    let settled = !options.all && !outcome.violations.is_empty();
    let no_time = outcome.limits.iter().any(|limit| matches!(limit, Limit::Timeout | Limit::Interrupted));
    !settled && !no_time && machine.reconsiders()
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
            let mut search = Search::planned(machine, options, monitor);
            search.cursor.pace.accompany(&mut hunt);
            run(&mut search, options);
            let outcome = search.conclude();
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
            let mut search = Search::planned(machine, options, monitor);
            search.explanations = Some(Explanations::default());
            run(&mut search, options);
            let explanations = search.explanations.take().map_or(Vec::new(), Explanations::into_all);
            let outcome = search.conclude();
            if !begins_again(machine, options, &outcome) {
                return (outcome, explanations);
            }
        }
    })
}

fn run<M: Machine>(search: &mut Search<'_, M>, options: &Options) {
    run_parts(search, options);
    if search.is_to_do_without_constraints() || search.is_to_interfere() {
        run_parts(search, options);
    }
}

fn run_parts<M: Machine>(search: &mut Search<'_, M>, options: &Options) {
    let Parts { engine, observers, compares, .. } = search.plan.parts();
    match engine {
        Engine::Everything => Exploration::new(|| Backtracking::new(Policy::Everything, false)).run(search),
        Engine::Persistent => Exploration::new(|| Backtracking::new(Policy::Persistent, false)).run(search),
        Engine::Sources => Exploration::new(|| Backtracking::new(Policy::Source, compares)).run(search),
        Engine::WakeupTrees if observers && compares => {
            portfolio::run(search, || Optimal::new(true, true), || Optimal::new(false, true));
        }
        Engine::WakeupTrees if observers || compares => {
            Exploration::new(|| Optimal::new(compares, observers)).run(search);
        }
        Engine::WakeupTrees => Exploration::new(Optimal::plain).run(search),
        Engine::Unfolding(width) => {
            let mut exploration = Exploration::new(|| Unfolding::new(width, options));
            exploration.run(search);
            search.session.outcome.unfolded = Some(exploration.into_strategy().statistics());
        }
        Engine::Random(executions) => {
            Exploration::new(|| Sampling::new(executions.get(), options.seed)).run(search);
            search.session.outcome.reached(Limit::Sampled);
        }
    }
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
            let mut search = Search::planned(machine, options, monitor);
            let Engine::Unfolding(width) = search.plan.parts().engine else { return (search.conclude(), Err(0)) };
            let unfold = |search: &mut Search<'_, M>| {
                let mut exploration = Exploration::new(|| Unfolding::new(width, options).keeping(most));
                exploration.run(search);
                exploration.into_strategy()
            };
            let mut unfolding = unfold(&mut search);
            if search.is_to_interfere() {
                unfolding = unfold(&mut search);
            }
            search.session.outcome.unfolded = Some(unfolding.statistics());
            let events = unfolding.drawing(&search, most);
            let outcome = search.conclude();
            if !begins_again(machine, options, &outcome) {
                return (outcome, events);
            }
        }
    })
}
