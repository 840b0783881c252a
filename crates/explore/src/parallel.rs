//! One exploration by several workers, each a thread with a machine of its own.
//!
//! What they share, and how it is divided, is [`crate::frontier`]'s; what a worker does is
//! [`crate::dpor::optimal::cones`]'s. Here they are started and stopped, and what they found is put
//! together: counts are sums, and violations are the same if they are so by names.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use mazurka_machine::{Describe, Machine};
use mazurka_trace::{
    Event, Fault, FaultKind, Limit, Outcome, ProcessId, Schedule, Scheduled, SiteId, Value, Violation,
};

use crate::dpor::backtrack::subtrees::Subtrees;
use crate::dpor::divided::Divided;
use crate::dpor::optimal::cones::Cones;
use crate::driver::Exploration;
use crate::findings::{data_race, standstill};
use crate::frontier::Frontier;
use crate::hunt::Hunt;
use crate::mutation;
use crate::pace::{Beside, Pace};
use crate::plan::{Capabilities, Plan};
use crate::search::Search;
use crate::{Limits, Monitor, Options};

/// Explores the executions of a program by as many workers as there are machines, which are all of
/// this program and in their initial state, and leaves them there. Numbers in the outcome are those
/// of the first machine.
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
pub fn explore_parallel<M: Machine + Describe + Send>(
    machines: &mut [M],
    hunt: Option<(&dyn Fn() -> M, u64)>,
    options: &Options,
    monitor: &Monitor,
) -> Outcome {
    assert!(!machines.is_empty(), "somebody has to work");
    assert!(options.algorithm.is_divisible(), "several workers cannot explore by {}", options.algorithm);
    monitor.timed(options.limits.timeout, || {
        loop {
            let mut hunt = hunt.filter(|_| !options.all).map(|(make, seed)| Hunt::new(make, seed, options));
            let beside = hunt.as_mut().map(|hunt| hunt as &mut dyn Beside);
            let outcomes = explore_once(machines, beside, options, monitor);
            let outcome = merge(machines, outcomes);
            let outcome = match hunt {
                Some(hunt) => hunt.conclude(outcome, &mut machines[0]),
                None => outcome,
            };
            if !begin_again(machines, options, &outcome) {
                return outcome;
            }
        }
    })
}

/// Whether some machine was wrong about the program. Then none assumes anything any more.
fn begin_again<M: Machine>(machines: &mut [M], options: &Options, outcome: &Outcome) -> bool {
    let settled = !options.all && !outcome.violations.is_empty();
    let no_time = outcome.limits.iter().any(|limit| matches!(limit, Limit::Timeout | Limit::Interrupted));
    if settled || no_time {
        return false;
    }
    let wrong = machines.iter_mut().fold(false, |wrong, machine| machine.reconsiders() | wrong);
    if wrong {
        machines.iter_mut().for_each(|machine| machine.assume_nothing());
    }
    wrong
}

/// What each of the workers counted.
fn explore_once<M: Machine + Describe + Send>(
    machines: &mut [M],
    hunt: Option<&mut dyn Beside>,
    options: &Options,
    monitor: &Monitor,
) -> Vec<Outcome> {
    let frontier = &Frontier::new(machines.len(), options.restless);
    let monitors: Vec<Monitor> = machines.iter().map(|_| monitor.another()).collect();
    let shared = Shared { frontier, options, monitor, monitors: &monitors };
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
}

impl Shared<'_> {
    /// The work of one.
    fn work<M: Machine + Describe>(self, worker: usize, machine: &mut M, hunt: Option<&mut dyn Beside>) -> Outcome {
        let Shared { frontier, options, monitors, .. } = self;
        let _others = Others(frontier);
        let limits = Limits { executions: None, ..options.limits.clone() };
        let own = Options { limits, ..options.clone() };
        let plan = Plan::new(options.algorithm, &Capabilities::of(machine));
        let mut crew = Crew { shared: self, hunt };
        let mut pace = Pace::new(&monitors[worker], options.limits.timeout);
        pace.accompany(&mut crew);
        let mut search: Search<'_, M> = Search::new(machine, plan, &own, pace);
        if options.algorithm.counts_interleavings() {
            self.explore::<_, Subtrees<'_>>(worker, &mut search);
        } else {
            self.explore::<_, Cones<'_>>(worker, &mut search);
        }
        search.conclude()
    }

    /// Explores cones as long as there are any.
    fn explore<'f, M: Machine + Describe, S: Divided<'f, M>>(self, worker: usize, search: &mut Search<'_, M>)
    where
        Self: 'f,
    {
        let frontier: &'f Frontier = self.frontier;
        let Some(task) = frontier.take(worker, || search.is_late()) else { return };
        let mut exploration = Exploration::new(|| S::begin(frontier, worker, task));
        exploration.run(search);
        let part = exploration.into_strategy();
        let nodes = &mut search.session.outcome.nodes;
        *nodes = nodes.saturating_add_signed(-part.repeated());
        if search.is_late() || search.cursor.pace.stopped {
            frontier.stop();
        }
        if part.has_task() {
            frontier.finish();
        }
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
    /// Who hunts for failures beside the worker.
    hunt: Option<&'h mut dyn Beside>,
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
        frontier.is_stopped() || self.hunt.as_mut().is_some_and(|hunt| hunt.go_on(steps))
    }

    fn may_count(&mut self) -> bool {
        let Shared { frontier, options, .. } = self.shared;
        options.limits.executions.is_none_or(|most| frontier.may_count(most))
    }
}

/// What makes a violation distinct, by names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    site: SiteId,
    kind: FaultKind,
    process: String,
    /// Everybody who waits, by name.
    waiting: Vec<(String, SiteId)>,
}

/// A schedule by names.
type NamedSchedule = Vec<(String, Vec<Value>)>;

/// A violation by names.
struct Told {
    /// As one of the machines has it, and which.
    violation: Violation,
    worker: usize,
    schedule: NamedSchedule,
    executions: u64,
}

/// What all workers counted together, in the numbers of the first machine.
fn merge<M: Machine + Describe>(machines: &mut [M], outcomes: Vec<Outcome>) -> Outcome {
    let mut all = Outcome::default();
    let mut told: BTreeMap<Key, Told> = BTreeMap::new();
    for (worker, mut outcome) in outcomes.into_iter().enumerate() {
        for violation in std::mem::take(&mut outcome.violations) {
            tell(&machines[worker], worker, violation, &mut told);
        }
        add(&mut all, &outcome, worker, machines);
    }
    for (key, one) in told {
        let violation = retold(machines, &key, one);
        all.violations.push(violation);
    }
    all
}

/// Adds up what is counted.
fn add<M: Machine + Describe>(all: &mut Outcome, outcome: &Outcome, worker: usize, machines: &[M]) {
    all.executions += outcome.executions;
    all.blocked += outcome.blocked;
    all.assume_blocked += outcome.assume_blocked;
    all.events += outcome.events;
    all.nodes += outcome.nodes;
    all.max_events = all.max_events.max(outcome.max_events);
    all.time = all.time.max(outcome.time);
    outcome.limits.iter().for_each(|&limit| all.reached(limit));
    let known = |process| {
        let name = machines[worker].process_key(process);
        machines[0].find_process(&name)
    };
    if let Some(busiest) =
        outcome.busiest.filter(|busiest| all.busiest.is_none_or(|known| known.events < busiest.events))
    {
        all.busiest =
            known(busiest.process).map(|process| mazurka_trace::Busiest { process, ..busiest }).or(all.busiest);
    }
    if let (None, Some((process, site))) = (all.endless, outcome.endless) {
        all.endless = known(process).map(|process| (process, site));
    }
}

/// Adds a violation that a worker found.
fn tell<M: Describe>(machine: &M, worker: usize, violation: Violation, told: &mut BTreeMap<Key, Told>) {
    let mut waiting: Vec<(String, SiteId)> =
        violation.waiting.iter().map(|one| (machine.process_key(one.process), one.site)).collect();
    waiting.sort();
    // Who of those who wait is named first depends on numbers.
    let (site, process) = match waiting.first() {
        Some((process, site)) => (*site, process.clone()),
        None => (violation.fault.site, machine.process_key(violation.fault.process)),
    };
    let key = Key { site, kind: violation.fault.kind, process, waiting };
    let name = |step: &Scheduled| (machine.process_key(step.process), step.choices.clone());
    let schedule: NamedSchedule = violation.schedule.iter().map(name).collect();
    let executions = violation.executions;
    let new = Told { violation, worker, schedule, executions };
    match told.get_mut(&key) {
        None => _ = told.insert(key, new),
        Some(known) => {
            let executions = known.executions + executions;
            if (new.schedule.len(), &new.schedule) < (known.schedule.len(), &known.schedule) {
                *known = new;
            }
            known.executions = executions;
        }
    }
}

/// The violation in the numbers of the first machine: its schedule is run there.
fn retold<M: Machine + Describe>(machines: &mut [M], key: &Key, one: Told) -> Violation {
    let Told { violation, worker, schedule, executions } = one;
    if worker == 0 {
        return Violation { executions, ..violation };
    }
    let machine = &mut machines[0];
    machine.restart();
    let mut event = Event::default();
    let mut own: Schedule = Schedule::new();
    for (name, choices) in schedule {
        let process = live(machine, &name).expect("a schedule can be run on each machine of the program");
        machine.step(process, &choices, &mut event);
        own.push(Scheduled { process, choices });
    }
    let shown = shown(machine, key, &event);
    machine.restart();
    let (fault, waiting) = shown.expect("a failing schedule fails on each machine of the program");
    Violation { fault, waiting, schedule: own, executions }
}

/// The live process of this name.
fn live<M: Machine + Describe>(machine: &M, name: &str) -> Option<ProcessId> {
    machine.live().iter().find(|&process| machine.process_key(process) == name)
}

/// What fails after the last step of a schedule, which was this event.
fn shown<M: Machine + Describe>(
    machine: &mut M,
    key: &Key,
    event: &Event,
) -> Option<(Fault, Vec<mazurka_trace::Waiting>)> {
    if !key.waiting.is_empty() {
        return Some(standstill(machine));
    }
    let is_it = |machine: &M, fault: &Fault| {
        (fault.kind, fault.site) == (key.kind, key.site) && machine.process_key(fault.process) == key.process
    };
    if let Some(&fault) = event.faults.iter().find(|fault| is_it(machine, fault)) {
        return Some((fault, Vec::new()));
    }
    if key.kind == FaultKind::DataRace {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let pairs = live.iter().flat_map(|&one| live.iter().map(move |&other| (one, other)));
        let mut faults = pairs.filter(|(one, other)| one < other);
        return faults.find_map(|(one, other)| {
            data_race(machine, one, other).filter(|fault| is_it(machine, fault)).map(|fault| (fault, Vec::new()))
        });
    }
    let mut last = Event::default();
    machine.conclude(&mut last);
    last.faults.iter().find(|fault| is_it(machine, fault)).map(|&fault| (fault, Vec::new()))
}
