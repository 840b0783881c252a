//! Which initial tasks can take part in a cycle: those that block a location, and those that write
//! what decides whether they come to block it.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, *Generation of initial contexts for effective deadlock
//! detection*, LOPSTR 2017: Definition 5 and Algorithm 1.
//!
//! # Guarantee
//! What a cycle needs is a task of each blocker, and, for each field that decides whether a task
//! comes to its wait although others ran in between, somebody who writes it. Without `await` or
//! `suspend` before the wait nobody runs in between, and fields are free at the beginning.
//!
//! # Deviations
//! 1. As the algorithm has it, a task is not added for an `await` of its own (the definition adds
//!    it).
//! 2. The fields are those on which the instruction depends, by control or data, not all that are
//!    used before it; `coarse` has the paper's.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::flow::Flow;
use super::graph::{Edge, Node};
use super::slice::{before, slice};
use super::world::TaskId;
use crate::code::{Image, Instruction, Pc};
use crate::machine::Wait;

/// A method that an initial context for a cycle has tasks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interfering {
    /// The number of its body.
    pub method: u32,
    /// It blocks a location of the cycle.
    pub blocks: bool,
    /// The fields that it writes, and that somebody else depends on.
    pub writes: BTreeSet<String>,
}

/// The interfering tasks of a cycle, by their methods.
pub(super) fn interfering(flow: &Flow<'_>, cycle: &[&Edge], coarse: bool) -> Vec<Interfering> {
    let mut found: BTreeMap<u32, Interfering> = BTreeMap::new();
    let mut searching = Searching { flow, coarse, left: VecDeque::new(), known: BTreeSet::new() };
    for edge in cycle.iter().filter(|edge| edge.wait != Wait::Lock) {
        if let Node::Location(_) = edge.from {
            entry(&mut found, flow, edge.task).blocks = true;
        }
        searching.add_wait(edge);
    }
    while let Some((pc, task)) = searching.left.pop_front() {
        let class = flow.world.classes[flow.world.tasks[task.index()].object.index()];
        for field in searching.fields(pc, task) {
            for (writer, write) in writers(flow.image, class, field) {
                let name = class.map(|class| flow.image.classes[class as usize].fields[field as usize].clone());
                let tasks = running(flow, writer);
                for task in tasks {
                    entry(&mut found, flow, task).writes.extend(name.clone());
                    searching.push(write, task);
                }
            }
        }
    }
    found.into_values().collect()
}

fn entry<'f>(found: &'f mut BTreeMap<u32, Interfering>, flow: &Flow<'_>, task: TaskId) -> &'f mut Interfering {
    let method = flow.world.tasks[task.index()].body;
    found.entry(method).or_insert(Interfering { method, blocks: false, writes: BTreeSet::new() })
}

/// The instructions of a class's methods that write a field.
fn writers(image: &Image, class: Option<u32>, field: u32) -> Vec<(u32, Pc)> {
    let is_write = |&(pc, instruction): &(usize, &Instruction)| {
        let body = image.body_at(pc as Pc);
        let own = body.class == class && body.kind == crate::code::BodyKind::Method;
        own && matches!(instruction, Instruction::Store { field: stored, .. } if *stored == field)
    };
    let all = image.code.iter().enumerate().filter(is_write);
    all.map(|(pc, _)| (image.owners[pc], pc as Pc)).collect()
}

/// The tasks of a method.
fn running(flow: &Flow<'_>, body: u32) -> Vec<TaskId> {
    let all = flow.world.tasks.iter().enumerate();
    all.filter(|(_, task)| task.body == body).map(|(number, _)| TaskId(number as u32)).collect()
}

struct Searching<'f, 'i> {
    flow: &'f Flow<'i>,
    coarse: bool,
    left: VecDeque<(Pc, TaskId)>,
    known: BTreeSet<(Pc, TaskId)>,
}

impl Searching<'_, '_> {
    fn push(&mut self, pc: Pc, task: TaskId) {
        if self.known.insert((pc, task)) {
            self.left.push_back((pc, task));
        }
    }

    /// A wait of the cycle, the calls whose future it waits for, and the calls through which its
    /// task comes to it.
    fn add_wait(&mut self, edge: &Edge) {
        for point in &edge.points {
            self.push(point.pc, point.method);
            if let Node::Task(awaited) = edge.to {
                let calls: Vec<(TaskId, Pc)> = self
                    .flow
                    .calls
                    .iter()
                    .filter(|((caller, _), made)| *caller == point.method && made.contains(&awaited))
                    .map(|(&call, _)| call)
                    .collect();
                calls.into_iter().for_each(|(caller, pc)| self.push(pc, caller));
            }
            self.add_callers(point.method);
        }
    }

    /// A method that runs within another one's task: whether it is called counts, too.
    fn add_callers(&mut self, method: TaskId) {
        let within: Vec<(TaskId, Pc)> =
            self.flow.within.iter().filter(|(_, methods)| methods.contains(&method)).map(|(&call, _)| call).collect();
        for (caller, pc) in within {
            if !self.known.contains(&(pc, caller)) {
                self.push(pc, caller);
                self.add_callers(caller);
            }
        }
    }

    /// The fields that decide about an instruction, if others can write them in the meantime.
    fn fields(&self, pc: Pc, task: TaskId) -> BTreeSet<u32> {
        let image = self.flow.image;
        let earlier = before(image, pc);
        if !earlier.iter().any(|&other| self.releases(other, task, &mut BTreeSet::new())) {
            return BTreeSet::new();
        }
        let counts = if self.coarse { earlier } else { slice(image, pc).relevant };
        let mut fields = BTreeSet::new();
        for other in counts {
            self.add_fields(other, task, &mut fields, &mut BTreeSet::new());
        }
        fields
    }

    /// Whether the lock can be given up at an instruction, or in what it calls within the task.
    fn releases(&self, pc: Pc, task: TaskId, known: &mut BTreeSet<TaskId>) -> bool {
        let mut left = vec![(pc, task)];
        while let Some((pc, task)) = left.pop() {
            match self.flow.image.code[pc as usize] {
                Instruction::AwaitFuture { .. } | Instruction::EndGuard { .. } | Instruction::Suspend { .. } => {
                    return true;
                }
                _ => left.extend(self.inner(pc, task, known)),
            }
        }
        false
    }

    /// The fields that an instruction uses, or what it calls within the task.
    fn add_fields(&self, pc: Pc, task: TaskId, fields: &mut BTreeSet<u32>, known: &mut BTreeSet<TaskId>) {
        let mut left = vec![(pc, task)];
        while let Some((pc, task)) = left.pop() {
            match self.flow.image.code[pc as usize] {
                Instruction::Load { field, .. } => {
                    fields.insert(field);
                }
                Instruction::Store { field, .. } if self.coarse => {
                    fields.insert(field);
                }
                _ => left.extend(self.inner(pc, task, known)),
            }
        }
    }

    /// The instructions of the methods that an instruction calls within the task, on this object.
    fn inner(&self, pc: Pc, task: TaskId, known: &mut BTreeSet<TaskId>) -> Vec<(Pc, TaskId)> {
        let Some(methods) = self.flow.within.get(&(task, pc)) else { return Vec::new() };
        if !matches!(self.flow.image.code[pc as usize], Instruction::Sync { .. }) {
            return Vec::new();
        }
        let own = self.flow.world.tasks[task.index()].object;
        let mut all = Vec::new();
        for &method in methods {
            let of = self.flow.world.tasks[method.index()];
            if of.object == own && known.insert(method) {
                let code = 0..self.flow.image.code.len() as Pc;
                all.extend(code.filter(|&pc| self.flow.image.owners[pc as usize] == of.body).map(|pc| (pc, method)));
            }
        }
        all
    }
}
