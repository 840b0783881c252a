//! What is left of an exploration when it pauses: enough to go on later, in another process.
//!
//! All workers give away what they have not explored yet, so that everything still to be done is a
//! task in the trie ([`crate::frontier`]). Counts, violations and the trie are of the same moment:
//! nothing is counted twice, and nothing is lost.

use std::sync::Arc;
use std::time::Duration;

use mazurka_machine::{Companion, Describe};
use mazurka_trace::{Busiest, Limit, Outcome, SiteId, Value};

use crate::told::{Tally, Told};

/// A node of the trie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptNode {
    /// Its parent: the root is 0, the node that was appended first is 1.
    pub parent: u32,
    /// Who steps: see `Describe::process_key`.
    pub process: Arc<str>,
    /// The values of the step's data choices.
    pub values: Arc<[Value]>,
    /// Everything that begins with it has been explored, or is a task.
    pub whole: bool,
}

/// What was counted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counts {
    /// See [`Outcome`], here and below.
    pub executions: u64,
    /// Explorations cut.
    pub blocked: u64,
    /// Executions discarded.
    pub assume_blocked: u64,
    /// Events executed.
    pub events: u64,
    /// Nodes of the explored tree.
    pub nodes: u64,
    /// Events of the longest execution.
    pub max_events: u64,
    /// What was left out, and stays so.
    pub limits: Vec<Limit>,
    /// Who made an execution too long, where, by how many events of how many.
    pub busiest: Option<(String, SiteId, u64, u64)>,
    /// Whose step ran too many instructions, and where.
    pub endless: Option<(String, SiteId)>,
    /// For how long all of this took.
    pub time: Duration,
}

impl Counts {
    /// What a worker has counted on its machine.
    pub(crate) fn of<M: Describe>(machine: &M, outcome: &Outcome) -> Self {
        let name = |process| machine.process_key(process);
        Self {
            executions: outcome.executions,
            blocked: outcome.blocked,
            assume_blocked: outcome.assume_blocked,
            events: outcome.events,
            nodes: outcome.nodes,
            max_events: outcome.max_events,
            limits: outcome.limits.clone(),
            busiest: outcome.busiest.map(|Busiest { process, site, events, of }| (name(process), site, events, of)),
            endless: outcome.endless.map(|(process, site)| (name(process), site)),
            time: outcome.time,
        }
    }

    /// Adds what somebody else has counted at the same time.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.assume_blocked += other.assume_blocked;
        self.events += other.events;
        self.nodes += other.nodes;
        self.max_events = self.max_events.max(other.max_events);
        for &limit in &other.limits {
            if !self.limits.contains(&limit) {
                self.limits.push(limit);
            }
        }
        let events = |busiest: &Option<(String, SiteId, u64, u64)>| busiest.as_ref().map(|busiest| busiest.2);
        if events(&other.busiest) > events(&self.busiest) {
            self.busiest.clone_from(&other.busiest);
        }
        self.endless = self.endless.take().or_else(|| other.endless.clone());
        self.time = self.time.max(other.time);
    }

    /// The outcome of all of it, in the numbers of a machine.
    pub(crate) fn into_outcome<M: Describe>(self, machine: &M) -> Outcome {
        let known = |name: &str| machine.find_process(name);
        Outcome {
            executions: self.executions,
            blocked: self.blocked,
            assume_blocked: self.assume_blocked,
            events: self.events,
            nodes: self.nodes,
            max_events: self.max_events,
            limits: self.limits,
            busiest: self
                .busiest
                .and_then(|(name, site, events, of)| known(&name).map(|process| Busiest { process, site, events, of })),
            endless: self.endless.and_then(|(name, site)| known(&name).map(|process| (process, site))),
            time: self.time,
            ..Outcome::default()
        }
    }
}

/// What a worker has come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deposit {
    pub(crate) counts: Counts,
    pub(crate) violations: Vec<Told>,
    /// What its machine has noticed of the program: see `Companion::remember`.
    pub(crate) notes: Vec<i64>,
}

impl Deposit {
    /// Of a worker that has done nothing yet.
    pub(crate) fn of_nothing<M: Companion>(machine: &M) -> Self {
        Self { notes: machine.remember(), ..Self::default() }
    }
}

/// An exploration that pauses.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checkpoint {
    /// The trie, without its root, in the order in which nodes were appended.
    pub nodes: Vec<KeptNode>,
    /// The nodes that are still to be explored, with all that begins with them.
    pub tasks: Vec<u32>,
    /// What was counted so far.
    pub counts: Counts,
    /// The violations found so far, as far as the exploration goes on after one.
    pub violations: Vec<Told>,
    /// What each machine has noticed of the program: see `Companion::remember`.
    pub notes: Vec<Vec<i64>>,
}

impl Checkpoint {
    /// What an exploration has come to that began with `self` and went on as the deposits say.
    pub(crate) fn after(&self, nodes: Vec<KeptNode>, tasks: Vec<u32>, deposits: &[Deposit]) -> Checkpoint {
        let mut tally = Tally::default();
        self.violations.iter().for_each(|told| tally.add(told.clone()));
        let mut counts = Counts::default();
        for deposit in deposits {
            counts.add(&deposit.counts);
            deposit.violations.iter().for_each(|told| tally.add(told.clone()));
        }
        counts.time += self.counts.time;
        let time = counts.time;
        counts.add(&self.counts);
        counts.time = time;
        // Each machine has recalled what was noted before.
        let notes = deposits.iter().map(|deposit| deposit.notes.clone()).filter(|notes| !notes.is_empty()).collect();
        Checkpoint { nodes, tasks, counts, violations: tally.into_told(), notes }
    }

    /// Whether it is one: whether what it refers to is there.
    pub fn is_sound(&self) -> bool {
        let parents = self.nodes.iter().zip(0..).all(|(node, number)| node.parent <= number);
        let whole = |&task: &u32| task == 0 || self.nodes.get(task as usize - 1).is_some_and(|node| node.whole);
        parents && self.tasks.iter().all(whole)
    }
}

/// Where an exploration is kept while it goes on.
#[derive(Clone, Copy)]
pub struct Keeping<'a> {
    /// How often.
    pub every: Duration,
    /// By whom: called by one worker while all others rest.
    pub keep: &'a (dyn Fn(&Checkpoint) + Sync),
}
