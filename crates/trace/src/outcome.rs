//! What an exploration found out.

use std::time::Duration;

use crate::{Fault, LocationId, ProcessId, Schedule, SiteId, Value};

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every execution was explored, up to the algorithm's equivalence, and none fails.
    Verified,
    /// Some execution fails.
    Violation,
    /// No failure was found, and something was left out.
    Incomplete,
}

/// A reason why something was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The time was up.
    Timeout,
    /// As many executions as were allowed have been explored.
    Executions,
    /// Some execution was cut because it grew longer than allowed.
    Depth,
    /// Some execution was cut because it had more context switches than allowed.
    Switches,
    /// Only synchronisation was interference, and not every execution was looked at for data races.
    DataRaces,
    /// Not every choice of who moves next was explored.
    Choices,
    /// Some step ran more instructions than allowed.
    Fuel,
    /// Executions were chosen at random.
    Sampled,
    /// The user interrupted.
    Interrupted,
}

/// A process that cannot move at the end of an execution.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Waiting {
    /// Who waits.
    pub process: ProcessId,
    /// At which place.
    pub site: SiteId,
    /// For what: the locations that its condition reads, or the mutex.
    pub locations: Vec<LocationId>,
    /// Who holds the mutex, where it waits for one.
    pub holder: Option<ProcessId>,
}

/// A failure with a schedule that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What failed. For a deadlock, process and site are those of the first process that waits.
    pub fault: Fault,
    /// For a deadlock: everyone who waits.
    pub waiting: Vec<Waiting>,
    /// A schedule that ends with the failure.
    pub schedule: Schedule,
    /// How many of the explored executions show it.
    pub executions: u64,
}

/// Who took most of the events of an execution that was cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busiest {
    /// Who.
    pub process: ProcessId,
    /// Where most of them were.
    pub site: SiteId,
    /// How many.
    pub events: u64,
    /// How many the execution had.
    pub of: u64,
}

/// What an exploration of the unfolding needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unfolded {
    /// Events of the unfolding that were met; one that was dropped and met again counts again.
    pub events: u64,
    /// The most that were kept at once.
    pub most_events: u64,
    /// How often an alternative was looked for.
    pub alternatives_asked: u64,
    /// How often one was found.
    pub alternatives_found: u64,
}

/// An event of the unfolding, for a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfoldedEvent {
    /// Who steps.
    pub process: ProcessId,
    /// Where in the code.
    pub site: SiteId,
    /// The data choices it makes.
    pub choices: Vec<Value>,
    /// The latest events of its history, by their numbers.
    pub causes: Vec<usize>,
    /// The events with smaller numbers that it is in immediate conflict with.
    pub conflicts: Vec<usize>,
    /// It ends the execution.
    pub ends: bool,
}

/// Which search beside the proof found a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HuntedBy {
    /// The one of all schedules with at most so many preemptions.
    Preemptions(usize),
    /// The one of random priorities, which changed so often; after each step, if there is no
    /// number.
    Priorities(Option<usize>),
}

/// How a failure was found beside the proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hunted {
    /// By which search.
    pub by: HuntedBy,
    /// The executions of both searches up to there.
    pub executions: u64,
    /// Their events, local ones included.
    pub events: u64,
    /// The context switches of the schedule that was found.
    pub switches: u64,
    /// What random numbers came from. The same seed finds the same failure.
    pub seed: u64,
}

/// What an exploration found out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    /// Complete executions, deadlocked and failed ones included.
    pub executions: u64,
    /// Explorations cut before their end because everything beyond was explored elsewhere.
    pub blocked: u64,
    /// Executions discarded by an assumption.
    pub assume_blocked: u64,
    /// Events executed in all.
    pub events: u64,
    /// Nodes of the tree that was explored, without its root: each step once, however often it was
    /// run to look into a race.
    pub nodes: u64,
    /// Events of the longest execution.
    pub max_events: u64,
    /// The distinct failures, in the order of their discovery.
    pub violations: Vec<Violation>,
    /// What was left out, each reason once.
    pub limits: Vec<Limit>,
    /// Where an execution was longer than allowed: who made it so. Of the first such one.
    pub busiest: Option<Busiest>,
    /// Where a step ran more instructions than allowed: whose, and where it was then. Of the first
    /// such one.
    pub endless: Option<(ProcessId, SiteId)>,
    /// The time of the exploration alone.
    pub time: Duration,
    /// Where the unfolding was explored: what that needed.
    pub unfolded: Option<Unfolded>,
    /// Integers were too large for what is known of when steps commute, so that it was not used.
    pub unconstrained: bool,
    /// Only synchronisation was to interfere, but conflicting accesses were met in no order that
    /// are no data race, such as a read and the end of what is read: all accesses interfered after
    /// all.
    pub interfering: bool,
    /// States were compared at first, and in the end not: so many explorations were given up for
    /// that. They are not counted, their events are.
    pub uncompared: Option<u64>,
    /// Where the violations were found beside the proof: how. What is counted here is the proof's
    /// up to there, as always.
    pub hunted: Option<Hunted>,
}

impl Outcome {
    /// The answer. `Verified` only where nothing was cut.
    pub fn verdict(&self) -> Verdict {
        if !self.violations.is_empty() {
            Verdict::Violation
        } else if self.limits.is_empty() {
            Verdict::Verified
        } else {
            Verdict::Incomplete
        }
    }

    /// Executions, and explorations that were cut.
    #[inline]
    pub fn explorations(&self) -> u64 {
        self.executions + self.blocked + self.assume_blocked
    }

    /// Notes a reason why something was left out.
    pub fn reached(&mut self, limit: Limit) {
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }
}
