//! What a circle of waits in a state of the machine is, in terms of the analysis.

use super::graph::Node;
use super::parallel::Rest;
use super::world::{ObjectId, TaskId};
use super::{Analysis, CycleKind};
use crate::machine::Wait;
use crate::machine::{ActorMachine, Circle, Frame, Waiter};
use crate::mutation::{self, Mutation};

/// A circle of waits in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What it is.
    pub kind: CycleKind,
    /// The cycles all of whose edges it has, by number.
    pub cycles: Vec<usize>,
    /// The analysis has a cycle for it that was not discharged. Otherwise it is wrong.
    pub is_foreseen: bool,
    /// Each wait, in a line.
    pub lines: Vec<String>,
}

impl Analysis {
    /// The circles of waits in the current state of a machine.
    pub fn find(&self, machine: &mut ActorMachine) -> Vec<Found> {
        let still = machine.is_still();
        machine.circles(still).iter().map(|circle| self.recognise(machine, circle)).collect()
    }

    /// The circles that the newest step may have closed: only a wait can, and where nobody can
    /// move,
    /// all are looked at.
    pub fn find_closed(&self, machine: &mut ActorMachine) -> Vec<Found> {
        let may_close = machine.has_just_stopped().is_some() || machine.is_still();
        if may_close { self.find(machine) } else { Vec::new() }
    }

    fn recognise(&self, machine: &ActorMachine, circle: &[Circle]) -> Found {
        let edges: Option<Vec<usize>> = circle.iter().map(|wait| self.edge_of(machine, wait)).collect();
        let has_all = |cycle: &[usize], edges: &[usize]| cycle.iter().all(|edge| edges.contains(edge));
        let known = edges.as_deref().unwrap_or_default();
        let cycles: Vec<usize> =
            (0..self.cycles.len()).filter(|&number| has_all(&self.cycles[number].edges, known)).collect();
        let is_open = cycles.iter().any(|&number| self.cycles[number].discharged.is_none());
        let has_location = circle.iter().any(|wait| matches!(wait.from, Waiter::LocationOf(_)));
        Found {
            kind: if has_location { CycleKind::Deadlock } else { CycleKind::AwaitCycle },
            is_foreseen: edges.is_some() && (is_open || self.more),
            cycles: if mutation::on(Mutation::NothingConfirmed) { Vec::new() } else { cycles },
            lines: circle.iter().map(|wait| line(machine, wait)).collect(),
        }
    }

    /// The edge that a wait is an instance of.
    fn edge_of(&self, machine: &ActorMachine, wait: &Circle) -> Option<usize> {
        let (from, to) = (self.node_of(machine, wait.from)?, self.node_of(machine, wait.to)?);
        let task = self.task_of(machine, wait.task)?;
        let frame = machine.frame_of(wait.task);
        let method = self.method_of(machine, frame)?;
        let point = Rest { method, pc: frame.pc };
        self.edges.iter().position(|edge| {
            (edge.from, edge.to, edge.wait, edge.task) == (from, to, wait.wait, task) && edge.points.contains(&point)
        })
    }

    /// The method that runs in a frame.
    pub(super) fn method_of(&self, machine: &ActorMachine, frame: Frame) -> Option<TaskId> {
        self.world.find_task(self.object_of(machine, frame.object)?, frame.body)
    }

    fn node_of(&self, machine: &ActorMachine, waiter: Waiter) -> Option<Node> {
        match waiter {
            Waiter::Task(task) => self.task_of(machine, task).map(Node::Task),
            Waiter::LocationOf(task) => {
                let task = self.task_of(machine, task)?;
                Some(Node::Location(self.world.location_of(task)))
            }
        }
    }

    fn task_of(&self, machine: &ActorMachine, task: u32) -> Option<TaskId> {
        let (body, object) = machine.root_of(task);
        self.world.find_task(self.object_of(machine, object)?, body)
    }

    /// The abstract object of an object; main where there is none.
    fn object_of(&self, machine: &ActorMachine, object: Option<u32>) -> Option<ObjectId> {
        let makers = std::iter::successors(object, |&object| machine.maker_of(object).1);
        let makers: Vec<u32> = makers.collect();
        let mut found = ObjectId::MAIN;
        for &object in makers.iter().rev() {
            let (site, _, is_local) = machine.maker_of(object);
            let shared = is_local.then(|| self.world.location(found));
            let sites = [&[site], self.world.objects[found.index()].sites.as_slice()].concat();
            found = self.world.find_object(&sites, shared)?;
        }
        Some(found)
    }
}

/// One wait; the next one says for whom.
fn line(machine: &ActorMachine, wait: &Circle) -> String {
    let (from, line) = (machine.name_of(wait.from), machine.line_of(wait.task));
    match (wait.from, wait.wait) {
        (Waiter::LocationOf(task), _) => {
            format!("{from} is blocked at line {line} by {}, which waits for", machine.name_of(Waiter::Task(task)))
        }
        (Waiter::Task(_), Wait::Get) => format!("{from}, which waits at line {line} for"),
        (Waiter::Task(_), Wait::Await) => format!("{from}, which awaits at line {line}"),
        (Waiter::Task(_), Wait::Lock) => format!("{from}, which needs"),
    }
}
