//! Testing that is guided by the constraints of one cycle.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, *Combining static analysis and testing for deadlock detection*,
//! iFM 2016, section 5.
//!
//! # Guarantee
//! If some execution reaches a circle of waits that is an instance of the cycle, the exploration
//! for this cycle meets it, provided that it looks beyond other deadlocks (`late`).
//!
//! # Names
//! interleavings table → the stops of the path; *check* → [`PaperGuide::can_close`]; *reachable* →
//! [`remaining`]; time and fut constraints → [`Constraint`].
//!
//! # Deviations
//! 1. Two points of the paper are open and settled by its figures: tasks in constraints are told
//!    apart by where their objects are made, and pruned states are counted on their own.
//! 2. A deadlock counts for the cycle if every constraint is met by a stop. That is weaker than a
//!    circle that has the cycle's shape: the stops may belong to different circles. It is what the
//!    paper's figures count ([`Searched::is_matched`]); which cycles are *confirmed* is decided by
//!    the circles themselves.
//! 3. A guard may be asked again, so it can be reached from where it stands.
//!
//! # Cost
//! The constraints of one cycle for each stop of the path, in every state.
//!
//! # Tests
//! `tests/paper_guide.rs`: the paper's figures. Crate `testkit`, `tests/deadlocks.rs`, against
//! brute
//! force.

mod remaining;

use mazurka_machine::{Foresight, Machine, Outlook};

use super::graph::{Edge, Node};
use super::parallel::Rest;
use super::{Analysis, Findings, Goal};
use crate::code::{Instruction, Pc};
use crate::machine::Wait;
use crate::machine::{ActorMachine, TaskKind};
use crate::mutation::{self, Mutation};
pub(super) use remaining::Called;
use remaining::Remaining;

/// What a wait of the cycle demands of an execution: a time constraint with its fut constraint.
struct Constraint {
    /// Some task stops here,
    point: Rest,
    /// which is of this kind,
    task: TaskKind,
    /// for a task of this kind.
    awaited: TaskKind,
    /// That one has not finished.
    is_pending: bool,
}

/// A stop of the path: an entry of the interleavings table.
struct Stop {
    task: u32,
    pc: Pc,
    awaited: u32,
}

/// How much was searched for a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Searched {
    /// States that pass the check.
    pub states: u64,
    /// States that do not.
    pub pruned: u64,
    /// Of the states, those in which a circle of waits has closed.
    pub deadlocks: u64,
    /// Of these, those that meet all constraints: deadlocks of this cycle, as the paper counts.
    pub matches: u64,
}

impl Searched {
    /// Whether the paper counts a deadlock of this cycle.
    pub fn is_matched(&self) -> bool {
        self.matches > 0
    }
}

/// A guide that looks for one cycle.
pub struct PaperGuide<'a> {
    analysis: &'a Analysis,
    goal: Goal,
    is_late: bool,
    constraints: Vec<Constraint>,
    remaining: Remaining<'a>,
    /// For each step of the current path, what it stopped for.
    table: Vec<Vec<Stop>>,
    findings: &'a mut Findings,
    /// What was searched so far.
    pub searched: Searched,
}

impl<'a> PaperGuide<'a> {
    /// One for the cycle of this number. A deadlock ends an execution where it closes, or, if
    /// `late`,
    /// where nobody can move.
    pub fn new(analysis: &'a Analysis, cycle: usize, goal: Goal, is_late: bool, findings: &'a mut Findings) -> Self {
        let edges: Vec<&Edge> = analysis.cycles[cycle].edges.iter().map(|&edge| &analysis.edges[edge]).collect();
        let constraints: Vec<Constraint> = constraints(analysis, &edges);
        let points = constraints.iter().map(|constraint| constraint.point).collect();
        let remaining = Remaining::new(analysis, points);
        let (table, searched) = (Vec::new(), Searched::default());
        PaperGuide { analysis, goal, is_late, constraints, remaining, table, findings, searched }
    }

    /// Enters the newest step into the table.
    fn enter(&mut self, machine: &ActorMachine) {
        self.table.truncate(machine.steps() - 1);
        let stopped = machine.has_just_stopped().map(|task| stops_of(machine, task));
        self.table.push(stopped.unwrap_or_default());
    }

    /// Whether a stop is what a constraint demands.
    fn meets(&self, machine: &ActorMachine, number: usize, stop: &Stop) -> bool {
        let Constraint { point, task, awaited, is_pending } = &self.constraints[number];
        let is_shared = mutation::on(Mutation::SharedRoundTheCycle) && number + 1 == self.constraints.len();
        stop.pc == point.pc
            && machine.kind_of(stop.task) == *task
            && machine.kind_of(stop.awaited) == *awaited
            && (!is_pending || machine.unfinished().any(|task| task == stop.awaited))
            && (!is_shared || self.closes(machine, stop))
    }

    /// Whether the stop of the last wait leads to where a stop of the first one is.
    fn closes(&self, machine: &ActorMachine, last: &Stop) -> bool {
        let first = self.constraints[0].point.pc;
        let mut stops = self.table.iter().flatten().filter(|stop| stop.pc == first);
        stops.any(|stop| machine.lock_of_task(stop.task) == machine.lock_of_task(last.awaited))
    }

    /// Whether a constraint is met by a stop of the path. What a guard asks for can have changed
    /// since.
    fn is_met(&self, machine: &ActorMachine, number: usize) -> bool {
        let code = &self.analysis.names.image().code;
        let is_guard = |task: &u32| matches!(code[machine.frame_of(*task).pc as usize], Instruction::Guard { .. });
        let mut guards = machine.unfinished().filter(is_guard).flat_map(|task| stops_of(machine, task));
        self.table.iter().flatten().any(|stop| self.meets(machine, number, stop))
            || guards.any(|stop| self.meets(machine, number, &stop))
    }

    /// The check: each wait can still come, or has come and may still last.
    fn can_close(&mut self, machine: &ActorMachine) -> bool {
        let reachable = self.remaining.reachable(machine);
        (0..self.constraints.len()).all(|number| reachable[number] || self.is_met(machine, number))
    }

    /// What to do in a state in which a circle has closed.
    fn stop(&mut self, machine: &ActorMachine) -> Outlook {
        let is_match = (0..self.constraints.len()).all(|number| self.is_met(machine, number));
        self.searched.deadlocks += 1;
        self.searched.matches += u64::from(is_match);
        let is_enough = match self.goal {
            Goal::Cycle => is_match || mutation::on(Mutation::AnyDeadlockIsEnough),
            Goal::First => true,
            Goal::All => false,
        };
        if is_enough { Outlook::Settled } else { Outlook::Hopeless }
    }
}

impl Foresight<ActorMachine> for PaperGuide<'_> {
    fn look(&mut self, machine: &mut ActorMachine) -> Outlook {
        if machine.steps() == 0 {
            return Outlook::Open;
        }
        self.enter(machine);
        let looks = !self.is_late || machine.is_still();
        let found = if looks { self.analysis.find_closed(machine) } else { Vec::new() };
        if found.is_empty() && !self.can_close(machine) {
            self.searched.pruned += 1;
            self.findings.pruned += 1;
            return Outlook::Hopeless;
        }
        if !self.findings.enter() {
            return Outlook::Settled;
        }
        self.searched.states += 1;
        if found.is_empty() {
            return Outlook::Ordered(machine.by_location());
        }
        self.findings.enter_circles(&found, machine);
        self.stop(machine)
    }
}

/// What the waits of a cycle demand. Going to a location demands nothing but that whoever has to
/// go there has not finished; the next wait is that of any task there.
fn constraints(analysis: &Analysis, edges: &[&Edge]) -> Vec<Constraint> {
    let next = edges.iter().cycle().skip(1);
    let waits = edges.iter().zip(next).filter_map(|(edge, next)| {
        let Node::Task(awaited) = edge.to else { return None };
        Some(Constraint {
            point: edge.points[0],
            task: analysis.kind_of(edge.task),
            awaited: analysis.kind_of(awaited),
            is_pending: next.wait == Wait::Lock,
        })
    });
    waits.collect()
}

/// What a task waits for where it stands.
fn stops_of(machine: &ActorMachine, task: u32) -> Vec<Stop> {
    let pc = machine.frame_of(task).pc;
    machine.all_awaited(task).into_iter().map(|awaited| Stop { task, pc, awaited }).collect()
}
