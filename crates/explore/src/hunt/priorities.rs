//! Random schedules, by priorities.
//!
//! Each process has a random priority, and the enabled one with the highest runs. There are two
//! kinds of executions, in turn:
//!
//! - *Few changes*: at a few random moments, whoever runs falls below all others. An execution with
//!   d changes finds a failure that needs d + 1 orders of steps with a probability of at least 1 /
//!   (n · k^d), for n processes and k steps. The number of changes goes round, and up to more the
//!   longer the hunt lasts.
//! - *Many*: after each of its steps, a process gets another random priority. That finds what takes
//!   many processes at once, each stopped at the right place: philosophers that all hold one fork.
//!
//! # Paper
//! Burckhardt, Kothari, Musuvathi and Nagarakatte, *A randomized scheduler with probabilistic
//! guarantees of finding bugs*, ASPLOS 2010, for the first; the second is the simplest form of
//! Yuan, Yang and Gu, *Partial order aware concurrency sampling*, CAV 2018.
//!
//! # Deviations
//! 1. How long executions are is not known beforehand: the longest one so far counts.
//! 2. A process that takes [`PATIENCE`] steps in a row falls below all others, since it may wait
//!    for them.
//! 3. Data choices are random as well; a step is taken back and run again with each of them.
//!
//! # Cost
//! A step of the machine, and asking those with higher priorities whether they are enabled.

use mazurka_machine::Machine;
use mazurka_trace::{Ending, Event, HuntedBy, ProcessId, Schedule, Scheduled, Value};

use super::bounded::Wanted;
use super::random::Random;

/// A process may take so many steps in a row.
const PATIENCE: usize = 1000;

/// Fallen priorities lie below, random ones above.
const FALLEN: u64 = 1 << 62;

/// The largest number of changes, but for executions with one after each step.
const MOST_CHANGES: u64 = 16;

/// The search by random priorities.
#[derive(Debug)]
pub(crate) struct Priorities {
    random: Random,
    depth: usize,
    /// The priorities of the processes in the current execution; 0 for those not met yet.
    priorities: Vec<u64>,
    /// The priority of the next one who falls.
    next_fallen: u64,
    /// After each of its steps, a process gets another priority.
    many: bool,
    /// The moments at which whoever runs falls, latest first.
    changes: Vec<usize>,
    /// How many they were.
    planned: usize,
    /// Visible steps of the current execution, and of the longest.
    position: usize,
    longest: usize,
    /// Who ran last, and how often in a row.
    running: Option<(ProcessId, usize)>,
    path: Schedule,
    executions: u64,
    has_begun: bool,
    script: Vec<Value>,
    event: Event,
}

impl Priorities {
    /// From a seed. Executions are cut after so many steps.
    pub(crate) fn new(seed: u64, depth: usize) -> Self {
        let (priorities, changes, path, script) = Default::default();
        Self {
            random: Random::new(seed),
            depth,
            priorities,
            next_fallen: FALLEN,
            many: false,
            changes,
            planned: 0,
            position: 0,
            longest: 1,
            running: None,
            path,
            executions: 0,
            has_begun: false,
            script,
            event: Event::default(),
        }
    }

    /// Whether there is no execution under way.
    pub(crate) fn is_between(&self) -> bool {
        !self.has_begun
    }

    /// The executions that came to their end.
    pub(crate) fn executions(&self) -> u64 {
        self.executions
    }

    /// The current execution.
    pub(crate) fn schedule(&self) -> Schedule {
        self.path.clone()
    }

    /// How the current execution is scheduled.
    pub(crate) fn method(&self) -> HuntedBy {
        HuntedBy::Priorities((!self.many).then_some(self.planned))
    }

    /// Ends the current execution before its time.
    pub(crate) fn give_up<M: Machine>(&mut self, machine: &mut M) {
        machine.restart();
        self.has_begun = false;
    }

    /// One step. Tells whether it shows what is wanted.
    pub(crate) fn step<M: Machine>(&mut self, machine: &mut M, wanted: &mut impl Wanted<M>) -> bool {
        if !self.has_begun {
            self.begin(machine);
        }
        let at_local = machine.at_local();
        let Some(process) = at_local.or_else(|| self.pick(machine)) else {
            let shown = wanted.is_end(machine);
            if !shown {
                self.end(machine);
            }
            return shown;
        };
        self.take(machine, process);
        if wanted.is_step(&self.event) {
            return true;
        }
        if self.event.ending != Ending::Continues {
            self.end(machine);
            return false;
        }
        if wanted.is_state(machine, &self.event) {
            return true;
        }
        if at_local.is_none() {
            self.change(process);
        }
        if self.path.len() >= self.depth {
            self.end(machine);
        }
        false
    }

    /// Begins an execution.
    fn begin<M: Machine>(&mut self, machine: &mut M) {
        machine.restart();
        self.has_begun = true;
        self.priorities.clear();
        self.next_fallen = FALLEN;
        self.path.clear();
        (self.position, self.running) = (0, None);
        self.many = self.executions % 2 == 1;
        self.plan();
    }

    /// Draws the moments of changes.
    fn plan(&mut self) {
        let number = self.executions / 2;
        let most = (1 + u64::from((number + 1).ilog2())).min(MOST_CHANGES);
        self.planned = if self.many { 0 } else { (number % (most + 1)) as usize };
        self.changes.clear();
        for _ in 0..self.planned {
            self.changes.push(1 + self.random.below(self.longest as u64) as usize);
        }
        self.changes.sort_unstable_by(|one, other| other.cmp(one));
    }

    fn end<M: Machine>(&mut self, machine: &mut M) {
        self.executions += 1;
        self.longest = self.longest.max(self.position);
        self.give_up(machine);
    }

    /// Who is enabled and has the highest priority.
    fn pick<M: Machine>(&mut self, machine: &mut M) -> Option<ProcessId> {
        let (mut best, mut highest, mut from) = (None, 0, 0);
        while let Some(process) = machine.live().next_from(from) {
            from = process.index() + 1;
            let priority = self.priority(process);
            if priority > highest && machine.is_enabled(process) {
                (best, highest) = (Some(process), priority);
            }
        }
        best
    }

    fn priority(&mut self, process: ProcessId) -> u64 {
        if process.index() >= self.priorities.len() {
            self.priorities.resize(process.index() + 1, 0);
        }
        if self.priorities[process.index()] == 0 {
            self.priorities[process.index()] = self.random_priority();
        }
        self.priorities[process.index()]
    }

    fn random_priority(&mut self) -> u64 {
        self.random.next() | 1 << 63
    }

    /// After a visible step of a process: gives it another priority, if it is time to.
    fn change(&mut self, process: ProcessId) {
        self.position += 1;
        let row = self.running.map_or(1, |(last, row)| if last == process { row + 1 } else { 1 });
        let mut falls = row >= PATIENCE;
        while self.changes.last().is_some_and(|&moment| moment <= self.position) {
            self.changes.pop();
            falls = true;
        }
        self.running = Some((process, if falls { 0 } else { row }));
        if falls {
            self.next_fallen -= 1;
            self.priorities[process.index()] = self.next_fallen;
        } else if self.many {
            self.priorities[process.index()] = self.random_priority();
        }
    }

    /// Takes a step, with random data choices.
    fn take<M: Machine>(&mut self, machine: &mut M, process: ProcessId) {
        let steps = machine.steps();
        self.script.clear();
        machine.step(process, &[], &mut self.event);
        // What can be chosen next may depend on what was chosen before.
        while let Some(choice) = self.event.choices.get(self.script.len()) {
            let range = choice.high.wrapping_sub(choice.low) as u64;
            let offset = if range == u64::MAX { self.random.next() } else { self.random.below(range + 1) };
            self.script.push(choice.low.wrapping_add(offset as Value));
            machine.rewind(steps);
            machine.step(process, &self.script, &mut self.event);
        }
        let choices = self.event.choices.iter().map(|choice| choice.value).collect();
        self.path.push(Scheduled { process, choices });
    }
}
