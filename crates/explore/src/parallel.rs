//! One exploration by several workers, each a thread with a machine of its own.
//!
//! What they share, and how it is divided, is [`crate::frontier`]'s; what a worker does is
//! [`crate::dpor::optimal::cones`]'s. Here they are started and stopped, and what they found is put
//! together: counts are sums, and violations are the same if they are so by names.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mazurka_machine::{Companion, Describe, Machine};
use mazurka_trace::{Limit, Outcome};

use crate::checkpoint::{Checkpoint, Counts, Deposit, Keeping};
use crate::dpor::backtrack::subtrees::Subtrees;
use crate::dpor::divided::Divided;
use crate::dpor::optimal::cones::Cones;
use crate::driver::Exploration;
use crate::frontier::{Frontier, Next};
use crate::hunt::Hunt;
use crate::mutation;
use crate::pace::{Beside, Pace};
use crate::plan::{Capabilities, Engine, Plan};
use crate::search::Search;
use crate::told::{Tally, Told, retold};
use crate::{Limits, Monitor, Options};

/// Where the exploration is kept, this is how much later than the limit it ends at the latest.
const GRACE: Duration = Duration::from_secs(2);

/// Whether an exploration is kept, and where it begins.
#[derive(Clone, Copy, Default)]
pub struct Kept<'a> {
    /// By whom it is kept.
    pub keeping: Option<Keeping<'a>>,
    /// What has been explored before.
    pub from: Option<&'a Checkpoint>,
}

/// Explores the executions of a program by as many workers as there are machines, and leaves them
/// in their initial state. The others are companions of the first one; numbers in the outcome are
/// those of the first one.
///
/// Complete executions, and the violations that they show, are those of
/// [`explore`](crate::explore), whatever the number of workers. Which violation is found first is
/// not determined, and neither is how many events are executed.
///
/// With a `hunt`, the first worker hunts for failures beside its work, as in
/// [`explore_hunting`](crate::explore_hunting): from a seed, on machines that are made for that.
///
/// # Panics
/// If there is no machine, or if several workers cannot explore by the algorithm: see
/// [`Algorithm::is_divisible`](crate::Algorithm::is_divisible).
pub fn explore_parallel<M: Machine + Describe + Companion + Send>(
    machines: &mut [M],
    hunt: Option<(&dyn Fn() -> M, u64)>,
    kept: Kept<'_>,
    options: &Options,
    monitor: &Monitor,
) -> Outcome {
    assert!(!machines.is_empty(), "somebody has to work");
    assert!(options.algorithm.is_divisible(), "several workers cannot explore by {}", options.algorithm);
    let Kept { keeping, mut from } = kept;
    monitor.timed(options.limits.timeout, || {
        loop {
            for note in from.iter().flat_map(|from| &from.notes) {
                machines.iter_mut().for_each(|machine| machine.recall(note));
            }
            let mut hunt = hunt.filter(|_| !options.all).map(|(make, seed)| Hunt::new(make, seed, options));
            let beside = hunt.as_mut().map(|hunt| hunt as &mut dyn Beside);
            let outcomes = explore_once(machines, beside, (keeping, from), options, monitor);
            let outcome = merge(machines, from, outcomes);
            let outcome = match hunt {
                Some(hunt) => hunt.conclude(outcome, &mut machines[0]),
                None => outcome,
            };
            if !begin_again(machines, options, &outcome) {
                return outcome;
            }
            from = None;
        }
    })
}

/// Whether some machine was wrong about the program. Then none assumes anything any more.
fn begin_again<M: Machine + Companion>(machines: &mut [M], options: &Options, outcome: &Outcome) -> bool {
    let settled = !options.all && !outcome.violations.is_empty();
    let no_time = outcome.limits.iter().any(|limit| matches!(limit, Limit::Timeout | Limit::Interrupted));
    if settled || no_time {
        return false;
    }
    if let Some((first, others)) = machines.split_first_mut() {
        others.iter().for_each(|other| first.consult(other));
    }
    let wrong = machines.iter_mut().fold(false, |wrong, machine| machine.reconsiders() | wrong);
    if wrong {
        machines.iter_mut().for_each(|machine| machine.assume_nothing());
    }
    wrong
}

/// What each of the workers counted.
fn explore_once<M: Machine + Describe + Companion + Send>(
    machines: &mut [M],
    hunt: Option<&mut dyn Beside>,
    (keeping, from): (Option<Keeping<'_>>, Option<&Checkpoint>),
    options: &Options,
    monitor: &Monitor,
) -> Vec<Outcome> {
    let frontier = &Frontier::new(machines.len(), options.restless, from);
    // What has to be kept before it ends is not ended by others.
    let own = |_| if keeping.is_some() { Monitor::default() } else { monitor.another() };
    let monitors: Vec<Monitor> = machines.iter().map(own).collect();
    let nothing = Checkpoint::default();
    let from = from.unwrap_or(&nothing);
    let shared = Shared { frontier, options, monitor, monitors: &monitors, keeping, from };
    let inherit = mutation::inheritance();
    std::thread::scope(|scope| {
        let mut machines = machines.iter_mut().enumerate();
        let first = machines.next().expect("somebody works");
        let others: Vec<_> = machines
            .map(|(worker, machine)| {
                let inherit = inherit.clone();
                let work = move || {
                    inherit();
                    shared.work(worker, machine, None)
                };
                // Where the system has no thread to give, there are fewer workers.
                std::thread::Builder::new().name(format!("worker {worker}")).spawn_scoped(scope, work).ok()
            })
            .collect();
        let mut outcomes = vec![shared.work(first.0, first.1, hunt)];
        for other in others {
            let joined = other.map(std::thread::ScopedJoinHandle::join).unwrap_or(Ok(Outcome::default()));
            outcomes.push(joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        outcomes
    })
}

/// What all workers know.
#[derive(Clone, Copy)]
struct Shared<'a> {
    frontier: &'a Frontier,
    options: &'a Options,
    /// Whoever watches all of them.
    monitor: &'a Monitor,
    monitors: &'a [Monitor],
    keeping: Option<Keeping<'a>>,
    /// Where the exploration has begun.
    from: &'a Checkpoint,
}

impl Shared<'_> {
    /// The work of one.
    fn work<M: Machine + Describe + Companion>(
        self,
        worker: usize,
        machine: &mut M,
        hunt: Option<&mut dyn Beside>,
    ) -> Outcome {
        let Shared { frontier, options, monitors, .. } = self;
        let _others = Others(frontier);
        frontier.arrive();
        let limits = Limits { executions: None, ..options.limits.clone() };
        let own = Options { limits, ..options.clone() };
        let plan = Plan::new(options.algorithm, &Capabilities::of(machine));
        let mut crew = Crew { shared: self, worker, hunt };
        let limit = options.limits.timeout.map(|limit| if self.keeping.is_some() { limit + GRACE } else { limit });
        let mut pace = Pace::new(&monitors[worker], limit);
        pace.accompany(&mut crew);
        let mut search: Search<'_, M> = Search::new(machine, plan, &own, pace);
        match plan.parts().engine {
            Engine::WakeupTrees => self.explore::<_, Cones<'_>>(worker, &mut search),
            _ => self.explore::<_, Subtrees<'_>>(worker, &mut search),
        }
        search.conclude()
    }

    /// Explores cones as long as there are any.
    fn explore<'f, M: Machine + Describe + Companion, S: Divided<'f, M>>(
        self,
        worker: usize,
        search: &mut Search<'_, M>,
    ) where
        Self: 'f,
    {
        let frontier: &'f Frontier = self.frontier;
        let plan = search.plan;
        let task = loop {
            match frontier.take(worker, || search.is_late()) {
                Next::Task(task) => break task,
                Next::Rest => search.cursor.pace.rest(Deposit::of_nothing(&*search.cursor.machine)),
                Next::End => return frontier.leave(worker, Deposit::of_nothing(&*search.cursor.machine), false),
            }
        };
        let mut exploration = Exploration::new(|| S::begin(frontier, worker, task, plan));
        exploration.run(search);
        let part = exploration.into_strategy();
        let deposit = part.deposit(search);
        let nodes = &mut search.session.outcome.nodes;
        *nodes = nodes.saturating_add_signed(-part.repeated());
        if search.is_late() || search.cursor.pace.stopped {
            frontier.stop();
        }
        if part.has_task() {
            frontier.finish();
        }
        frontier.leave(worker, deposit, part.has_task());
    }
}

/// If a worker panics, all others stop.
struct Others<'a>(&'a Frontier);

impl Drop for Others<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// The others, from a worker's point of view.
struct Crew<'a, 'h> {
    shared: Shared<'a>,
    worker: usize,
    /// Who hunts for failures beside the worker.
    hunt: Option<&'h mut dyn Beside>,
}

impl Crew<'_, '_> {
    /// Where the exploration has to end, and is kept, it goes on until that has been done.
    fn end_when_kept(&self) {
        let Shared { frontier, monitor, monitors, .. } = self.shared;
        if monitor.is_due() && !frontier.pause_at_last() {
            for own in monitors {
                own.cancel.store(monitor.cancel.load(Ordering::Relaxed), Ordering::Relaxed);
                own.late.store(monitor.late.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
    }
}

impl Beside for Crew<'_, '_> {
    fn go_on(&mut self, steps: u32) -> bool {
        let Shared { frontier, monitor, monitors, .. } = self.shared;
        let sum = |counter: fn(&Monitor) -> &AtomicU64| {
            let all = monitors.iter().map(|one| counter(one).load(Ordering::Relaxed)).sum();
            counter(monitor).store(all, Ordering::Relaxed);
        };
        sum(|monitor| &monitor.executions);
        sum(|monitor| &monitor.blocked);
        sum(|monitor| &monitor.events);
        let deepest = monitors.iter().map(|one| one.depth.load(Ordering::Relaxed)).max();
        monitor.depth.store(deepest.unwrap_or_default(), Ordering::Relaxed);
        if let Some(keeping) = self.shared.keeping {
            frontier.pause_every(keeping.every);
            self.end_when_kept();
        }
        frontier.is_stopped() || self.hunt.as_mut().is_some_and(|hunt| hunt.go_on(steps))
    }

    fn may_count(&mut self) -> bool {
        let Shared { frontier, options, .. } = self.shared;
        options.limits.executions.is_none_or(|most| frontier.may_count(most))
    }

    fn rest(&mut self, deposit: Deposit) {
        let Shared { frontier, keeping, from, .. } = self.shared;
        frontier.rest(self.worker, deposit, |nodes, tasks, deposits| {
            if let Some(keeping) = keeping {
                (keeping.keep)(&from.after(nodes, tasks, deposits));
            }
        });
    }
}

/// What all workers counted together, and what was counted before, in the numbers of the first
/// machine.
fn merge<M: Machine + Describe>(machines: &mut [M], from: Option<&Checkpoint>, outcomes: Vec<Outcome>) -> Outcome {
    let mut counts = Counts::default();
    let mut tally = Tally::default();
    for (worker, outcome) in outcomes.into_iter().enumerate() {
        outcome.violations.iter().for_each(|violation| tally.add(Told::of(&machines[worker], violation)));
        counts.add(&Counts::of(&machines[worker], &outcome));
    }
    if let Some(from) = from {
        let time = counts.time + from.counts.time;
        counts.add(&from.counts);
        counts.time = time;
        from.violations.iter().for_each(|told| tally.add(told.clone()));
    }
    let violations = tally.into_told().into_iter().map(|told| retold(&mut machines[0], told)).collect();
    Outcome { violations, ..counts.into_outcome(&machines[0]) }
}
