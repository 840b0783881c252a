//! Sleep sets.
//!
//! A step sleeps at a node when everything that begins with it was explored before: at this node,
//! or at an ancestor and since then only independent events have run. A dependent event wakes it.
//!
//! Names: *sleep(E)* is [`Sleep::at`] the node after E. A sleeping step is a process with the data
//! choices it makes; its footprint is that of the event it was when it was explored, and stays
//! right as long as it sleeps, because independent events do not change what it does.
//!
//! Cost: one flat stack for all nodes; entering a node copies the sleepers that stay asleep.

use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::ProcessId;

use crate::choices::ChoiceId;
use crate::execution::Record;
use crate::mutation::{self, Mutation};

/// A sleeping step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sleeper {
    pub(crate) process: ProcessId,
    pub(crate) choice: ChoiceId,
    pub(crate) footprint: Footprint,
    /// Why it sleeps.
    pub(crate) reason: Reason,
}

/// Why a step sleeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// All that begins with it was explored.
    Explored,
    /// It was explored, but something that happens after it was left out: all states that it leads
    /// to were reached, not all executions that begin with it were seen. So it covers nothing that
    /// it is not a part of.
    PartiallyExplored,
    /// A don't-do set forbids it: all states that it leads to were reached elsewhere. That says
    /// nothing about executions in which something that it depends on comes first.
    Forbidden,
    /// The same, and it has been run for its races, redundantly.
    Cut,
}

impl Reason {
    /// Whether all states that the step leads to were reached by exploring it.
    #[inline]
    pub(crate) fn is_explored(self) -> bool {
        matches!(self, Reason::Explored | Reason::PartiallyExplored)
    }
}

impl Sleeper {
    /// A step of this process.
    #[inline]
    pub(crate) fn new(process: ProcessId, choice: ChoiceId, footprint: Footprint) -> Self {
        Self { process, choice, footprint, reason: Reason::Explored }
    }

    /// Whether the other one is the same step, for whatever reason it sleeps.
    pub(crate) fn is_like(&self, other: &Sleeper) -> bool {
        (self.process, self.choice, self.footprint) == (other.process, other.choice, other.footprint)
    }
}

/// The sleep sets of the nodes on the current path.
#[derive(Debug)]
pub(crate) struct Sleep {
    sleepers: Vec<Sleeper>,
    starts: Vec<u32>,
    /// Some step that makes data choices has gone to sleep: only then can a process sleep with some
    /// of them.
    has_choices: bool,
}

impl Default for Sleep {
    fn default() -> Self {
        Self { sleepers: Vec::new(), starts: vec![0], has_choices: false }
    }
}

impl Sleep {
    /// The sleep set of the node at this depth.
    #[inline]
    pub(crate) fn at(&self, node: usize) -> &[Sleeper] {
        let end = self.starts.get(node + 1).map_or(self.sleepers.len(), |&start| start as usize);
        &self.sleepers[self.starts[node] as usize..end]
    }

    /// The sleep set of the newest node.
    #[inline]
    pub(crate) fn top(&self) -> &[Sleeper] {
        &self.sleepers[self.starts[self.starts.len() - 1] as usize..]
    }

    /// How many events led to the newest node.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether some step that makes data choices has gone to sleep.
    #[inline(always)]
    pub(crate) fn has_choices(&self) -> bool {
        self.has_choices
    }

    /// A new node, reached by this event.
    #[inline(always)]
    pub(crate) fn descend(&mut self, event: &Record, footprints: &Footprints) {
        self.descend_with(|sleeper| {
            sleeper.process != event.process
                && (!footprints.dependent(sleeper.footprint, event.footprint)
                    || mutation::on(Mutation::SleepThroughDependence))
        });
    }

    /// A new node, at which those steps sleep that still do.
    #[inline(always)]
    pub(crate) fn descend_with(&mut self, mut sleeps: impl FnMut(&Sleeper) -> bool) {
        let start = self.starts[self.starts.len() - 1] as usize;
        let end = self.sleepers.len();
        self.starts.push(end as u32);
        for at in start..end {
            let sleeper = self.sleepers[at];
            if sleeps(&sleeper) {
                self.sleepers.push(sleeper);
            }
        }
    }

    /// Leaves the newest node, which the event led to; the event goes to sleep at the node before.
    #[inline(always)]
    pub(crate) fn ascend(&mut self, event: &Record) {
        self.ascend_for(event, Reason::Explored);
    }

    /// The same, with the reason why the event sleeps.
    #[inline(always)]
    pub(crate) fn ascend_for(&mut self, event: &Record, reason: Reason) {
        let start = self.starts.pop().expect("the root is never left");
        self.sleepers.truncate(start as usize);
        let can_wake = !event.is_local || event.choice != ChoiceId::NONE;
        if can_wake && !mutation::on(Mutation::NeverSleep) {
            let Record { process, choice, footprint, .. } = *event;
            self.has_choices |= choice != ChoiceId::NONE;
            self.sleepers.push(Sleeper { process, choice, footprint, reason });
        }
    }

    /// The same for an event that was run redundantly: it sleeps there already.
    #[cold]
    pub(crate) fn ascend_redundant(&mut self, event: &Record) {
        let start = self.starts.pop().expect("the root is never left");
        self.sleepers.truncate(start as usize);
        let top = self.starts[self.starts.len() - 1] as usize;
        for sleeper in &mut self.sleepers[top..] {
            if (sleeper.process, sleeper.choice) == (event.process, event.choice) {
                sleeper.reason = Reason::Cut;
            }
        }
    }

    /// Whether all that begins with a step at the newest node was explored.
    pub(crate) fn has_explored(&self, process: ProcessId, choice: ChoiceId) -> bool {
        let is_it = |sleeper: &Sleeper| (sleeper.process, sleeper.choice) == (process, choice);
        self.top().iter().any(|sleeper| is_it(sleeper) && sleeper.reason.is_explored())
    }

    /// Only the first sleepers of the newest node, so many of them, stay there.
    pub(crate) fn keep(&mut self, count: usize) {
        let start = self.starts[self.starts.len() - 1] as usize;
        self.sleepers.truncate(start + count);
    }

    /// A step that is explored elsewhere goes to sleep at the newest node.
    pub(crate) fn put(&mut self, step: Sleeper) {
        if !mutation::on(Mutation::NeverSleep) {
            self.has_choices |= step.choice != ChoiceId::NONE;
            self.sleepers.push(step);
        }
    }

    /// A step that a don't-do set forbids goes to sleep at the newest node.
    pub(crate) fn add(&mut self, step: Sleeper) {
        if !self.top().iter().any(|known| (known.process, known.choice) == (step.process, step.choice)) {
            self.has_choices |= step.choice != ChoiceId::NONE;
            self.sleepers.push(Sleeper { reason: Reason::Forbidden, ..step });
        }
    }

    /// Whether some step of the process sleeps at the newest node.
    #[inline]
    pub(crate) fn is_drowsy(&self, process: ProcessId) -> bool {
        self.has_choices && self.top().iter().any(|sleeper| sleeper.process == process)
    }
}
