//! Exploring the executions of a machine: one driver, and a folder of decisions for each algorithm.

mod backtrack;
mod checking;
mod choices;
mod constraint;
mod context;
mod dont;
mod driver;
mod estimate;
mod execution;
mod findings;
mod hunt;
pub mod mutation;
mod observers;
mod optimal;
mod options;
mod plain;
mod processes;
mod races;
mod remarks;
mod search;
mod shorten;
mod sleep;
mod turns;
mod unfolding;

pub use estimate::{Estimate, Estimator};
pub use hunt::hunt;
pub use options::{Algorithm, Limits, Monitor, Options};
pub use shorten::{preemptions, shorten};

use mazurka_machine::Machine;
use mazurka_trace::{Limit, Outcome, Remark, UnfoldedEvent};

use backtrack::{Backtracking, Policy};
use context::Contextual;
use hunt::Hunt;
use optimal::Optimal;
use remarks::Remarks;
use search::Search;
use unfolding::Unfolding;

/// Explores the executions of a machine, and leaves it in its initial state.
pub fn explore<M: Machine>(machine: &mut M, options: &Options, monitor: &Monitor) -> Outcome {
    monitor.timed(options.limits.timeout, || {
        loop {
            let mut search = Search::new(machine, options, monitor);
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
/// end soon. Whichever finds a failure first ends both. A proof, and all that it counts, is the same
/// as that of [`explore`].
///
/// `make` makes machines of the same program. Where the hunt found a failure, `machine` is replaced
/// by one of them: the numbers of processes, places and locations in the outcome are that one's.
/// There is no hunt where all failures are to be found, or context switches are limited.
pub fn explore_hunting<M: Machine>(
    machine: &mut M,
    make: &dyn Fn() -> M,
    seed: u64,
    options: &Options,
    monitor: &Monitor,
) -> Outcome {
    if options.all || options.limits.switches.is_some() {
        return explore(machine, options, monitor);
    }
    monitor.timed(options.limits.timeout, || {
        loop {
            let mut hunt = Hunt::new(make, seed, options);
            let mut search = Search::new(machine, options, monitor);
            search.beside = Some(&mut hunt);
            run(&mut search, options);
            let outcome = search.conclude();
            let outcome = hunt.conclude(outcome, machine);
            if !begins_again(machine, options, &outcome) {
                return outcome;
            }
        }
    })
}

/// Explores as [`explore`] does, with what is remarked on the way: what was left out because of states, and why.
pub fn explain<M: Machine>(machine: &mut M, options: &Options, monitor: &Monitor) -> (Outcome, Vec<Remark>) {
    monitor.timed(options.limits.timeout, || {
        loop {
            let mut search = Search::new(machine, options, monitor);
            search.remarks = Some(Remarks::default());
            run(&mut search, options);
            let remarks = search.remarks.take().map_or(Vec::new(), Remarks::into_all);
            let outcome = search.conclude();
            if !begins_again(machine, options, &outcome) {
                return (outcome, remarks);
            }
        }
    })
}

fn run<M: Machine>(search: &mut Search<'_, M>, options: &Options) {
    // Which accesses are ordered, and so what is a data race, differs between executions that lead to the same state: where data races are
    // looked for, no execution is left out.
    let data_races = search.machine.detects_data_races();
    let constrained = !data_races && search.machine.has_constraints();
    let algorithm = if constrained { options.algorithm } else { options.algorithm.without_constraints() };
    let contextual = if data_races { None } else { Contextual::of(algorithm) };
    match algorithm {
        Algorithm::None => driver::run(search, &mut Backtracking::new(Policy::Everything, None)),
        Algorithm::Dpor => driver::run(search, &mut Backtracking::new(Policy::Persistent, None)),
        Algorithm::Source | Algorithm::Cs => driver::run(search, &mut Backtracking::new(Policy::Source, contextual)),
        Algorithm::Constrained => {
            driver::run(search, &mut Backtracking::new(Policy::Source, contextual));
            if search.is_to_do_without_constraints() {
                driver::run(search, &mut Backtracking::new(Policy::Source, Some(Contextual::new())));
            }
        }
        Algorithm::OptimalConstrained => {
            driver::run(search, &mut Optimal::new(contextual, None));
            if search.is_to_do_without_constraints() {
                driver::run(search, &mut Optimal::new(Some(Contextual::new()), None));
            }
        }
        Algorithm::Optimal | Algorithm::OptimalCs => match contextual {
            None => driver::run(search, &mut Optimal::plain()),
            contextual => driver::run(search, &mut Optimal::new(contextual, None)),
        },
        Algorithm::Quasi(_) | Algorithm::QuasiOptimal => {
            let mut unfolding = Unfolding::new(options);
            driver::run(search, &mut unfolding);
            search.outcome.unfolded = Some(unfolding.statistics());
        }
        Algorithm::OptimalCsObservers if contextual.is_some() => turns::run(search),
        Algorithm::OptimalConstrainedObservers => {
            turns::run(search);
            if search.is_to_do_without_constraints() {
                turns::run(search);
            }
        }
        Algorithm::Observers | Algorithm::OptimalCsObservers => {
            turns::observers(search, u64::MAX);
        }
    }
}

/// Explores the unfolding of a machine's program as [`explore`] does, and gives all its events that were met: for a drawing. Where there are more than
/// `most`, only their number.
pub fn unfold<M: Machine>(
    machine: &mut M,
    options: &Options,
    monitor: &Monitor,
    most: usize,
) -> (Outcome, Result<Vec<UnfoldedEvent>, u64>) {
    monitor.timed(options.limits.timeout, || {
        let mut search = Search::new(machine, options, monitor);
        let mut unfolding = Unfolding::new(options).keeping(most);
        driver::run(&mut search, &mut unfolding);
        search.outcome.unfolded = Some(unfolding.statistics());
        let events = unfolding.drawing(&search, most);
        (search.conclude(), events)
    })
}
