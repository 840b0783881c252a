//! From a plan to an engine in an order, which explores until nothing makes it begin again.

use mazurka_machine::Machine;
use mazurka_trace::{Limit, Outcome, UnfoldedEvent};

use crate::Options;
use crate::dpor::backtrack::{Backtracking, Policy};
use crate::dpor::optimal::pruned::Pruned;
use crate::dpor::optimal::wakeups::Wakeups;
use crate::driver::{Exploration, Halt, portfolio};
use crate::listener::Listener;
use crate::order::{AnyOrder, ByConflict, Order, Planned, Restart};
use crate::pace::Pace;
use crate::plan::{Capabilities, Engine, Parts, Plan};
use crate::random::Sampling;
use crate::search::Search;
use crate::unfolding::Unfolding;

/// Explores the executions of a machine, and leaves it in its initial state.
pub(crate) fn explore<'a, M: Machine>(
    machine: &'a mut M,
    options: &'a Options,
    pace: Pace<'a>,
    listener: Box<dyn Listener + 'a>,
) -> Outcome {
    let plan = Plan::new(options.algorithm, &Capabilities::of(machine));
    let Parts { engine, observers, compares, constraints } = plan.parts();
    // Where nothing is compared, speed is all that counts.
    if observers || constraints || (compares && engine == Engine::WakeupTrees) {
        return Search { listener, ..Search::new(machine, plan, options, pace) }.run(run_any);
    }
    Search { listener, ..Search::new(machine, plan, options, pace) }.run(run_plain)
}

/// Whether the machine was wrong about the program, and what was explored does not settle it.
pub(crate) fn begins_again<M: Machine>(machine: &mut M, options: &Options, outcome: &Outcome) -> bool {
    let settled = !options.all && !outcome.violations.is_empty();
    let no_time = outcome.limits.iter().any(|limit| matches!(limit, Limit::Timeout | Limit::Interrupted));
    !settled && !no_time && machine.reconsiders()
}

/// Engines that are compiled for the order by conflict.
fn run_plain<M: Machine>(search: &mut Search<'_, M, ByConflict>) -> Halt {
    let options = search.options;
    let Parts { engine, compares, .. } = search.plan.parts();
    match engine {
        Engine::Everything => Exploration::new(|| Backtracking::new(Policy::Everything, false)).run(search),
        Engine::Persistent => Exploration::new(|| Backtracking::new(Policy::Persistent, false)).run(search),
        Engine::Sources => Exploration::new(|| Backtracking::new(Policy::Source, compares)).run(search),
        Engine::WakeupTrees => Exploration::new(|| Wakeups::new(false)).run(search),
        Engine::Unfolding(width) => {
            let mut exploration = Exploration::new(|| Unfolding::new(width, options));
            let halt = exploration.run(search);
            search.session.outcome.unfolded = Some(exploration.into_strategy().statistics());
            halt
        }
        Engine::Random(executions) => {
            let halt = Exploration::new(|| Sampling::new(executions.get(), options.seed)).run(search);
            search.session.outcome.reached(Limit::Sampled);
            halt
        }
    }
}

/// Engines that are compiled for any order.
fn run_any<M: Machine>(search: &mut Search<'_, M, AnyOrder<M>>) -> Halt {
    let Parts { engine, observers, compares, .. } = search.plan.parts();
    match engine {
        Engine::WakeupTrees if observers && compares => {
            portfolio::run(search, || Pruned::new(true), || Wakeups::new(true))
        }
        Engine::WakeupTrees if compares => Exploration::new(|| Pruned::new(observers)).run(search),
        Engine::WakeupTrees => Exploration::new(|| Wakeups::new(observers)).run(search),
        _ => Exploration::new(|| Backtracking::new(Policy::Source, compares)).run(search),
    }
}

impl<M: Machine, O: Order<M> + Planned> Search<'_, M, O> {
    /// Explores, in another way where that turns out to be needed.
    fn run(mut self, explore: impl Fn(&mut Self) -> Halt) -> Outcome {
        while let Halt::Again(restart) = explore(&mut self) {
            self.begin_again_with(restart);
        }
        self.conclude()
    }

    /// Begins again, without what was wrong.
    fn begin_again_with(&mut self, restart: Restart) {
        match restart {
            Restart::Observers => self.begin_again(),
            Restart::WithoutConstraints => {
                self.plan = self.plan.without_constraints();
                self.order = O::by(self.plan.parts());
                self.begin_again();
                self.session.outcome.unconstrained = true;
            }
            Restart::Interfering => {
                self.cursor.set_nothing_aside();
                self.begin_again();
                self.session.outcome.interfering = true;
            }
        }
    }
}

/// Explores the unfolding, and gives its events: see [`crate::unfold`].
pub(crate) fn unfold<'a, M: Machine>(
    machine: &'a mut M,
    options: &'a Options,
    pace: Pace<'a>,
    most: usize,
) -> (Outcome, Result<Vec<UnfoldedEvent>, u64>) {
    let plan = Plan::new(options.algorithm, &Capabilities::of(machine));
    let mut search: Search<'_, M> = Search::new(machine, plan, options, pace);
    let Engine::Unfolding(width) = plan.parts().engine else { return (search.conclude(), Err(0)) };
    let unfolding = loop {
        let mut exploration = Exploration::new(|| Unfolding::new(width, options).keeping(most));
        match exploration.run(&mut search) {
            Halt::Again(restart) => search.begin_again_with(restart),
            Halt::Over | Halt::Paused => break exploration.into_strategy(),
        }
    };
    search.session.outcome.unfolded = Some(unfolding.statistics());
    let events = unfolding.drawing(&search, most);
    (search.conclude(), events)
}
