//! The dependency graph: which tasks and locations may have to wait for which.

use std::collections::BTreeSet;

use super::calls::Summary;
use super::flow::Flow;
use super::parallel::Rest;
use super::single::Single;
use super::world::{ObjectId, TaskId};
use crate::code::{Instruction, Pc};
use crate::machine::Wait;
use crate::mutation::{self, Mutation};

/// What waits, or is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Node {
    /// A location that somebody blocks.
    Location(ObjectId),
    /// A task.
    Task(TaskId),
}

/// An edge of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// Who waits.
    pub(super) from: Node,
    /// For whom.
    pub(super) to: Node,
    /// Why.
    pub(super) wait: Wait,
    /// The task that stands at the point.
    pub(super) task: TaskId,
    /// The points: one, or, for a lock, all those at which the task can hang.
    pub(super) points: Vec<Rest>,
}

/// All edges of a program.
pub(super) fn edges(flow: &Flow<'_>, summaries: &[Summary], single: &Single) -> Vec<Edge> {
    let mut edges = Vec::new();
    for &task in &flow.started {
        let stops = stops(flow, summaries, task);
        for &stop in &stops {
            add_waits(flow, single, task, stop, &mut edges);
        }
        let entry = flow.image.bodies[flow.world.tasks[task.index()].body as usize].entry;
        let releases = stops.into_iter().filter(|stop| is_release(flow, stop.pc));
        let points = if mutation::on(Mutation::EntryOnly) {
            vec![Rest { method: task, pc: entry }]
        } else {
            [Rest { method: task, pc: entry }].into_iter().chain(releases).collect()
        };
        let (from, to) = (Node::Task(task), Node::Location(flow.world.location_of(task)));
        edges.push(Edge { from, to, wait: Wait::Lock, task, points });
    }
    edges
}

/// Whether a task that stops here lets others of its group go on.
fn is_release(flow: &Flow<'_>, pc: Pc) -> bool {
    !matches!(flow.image.code[pc as usize], Instruction::Get { .. })
}

/// Where a task can stop, in its method or in those that run within it.
fn stops(flow: &Flow<'_>, summaries: &[Summary], task: TaskId) -> Vec<Rest> {
    let mut methods = BTreeSet::from([task]);
    let mut left = vec![task];
    while let Some(method) = left.pop() {
        for (&(_, pc), within) in flow.within.range((method, 0)..=(method, Pc::MAX)) {
            // Nobody can wait while an object is being made.
            if matches!(flow.image.code[pc as usize], Instruction::Sync { .. }) {
                left.extend(within.iter().copied().filter(|&other| methods.insert(other)));
            }
        }
    }
    let all = methods.into_iter();
    all.flat_map(|method| summaries[method.index()].stops.iter().map(move |&pc| Rest { method, pc })).collect()
}

/// The tasks that a stop can wait for.
fn add_waits(flow: &Flow<'_>, single: &Single, task: TaskId, stop: Rest, edges: &mut Vec<Edge>) {
    let Rest { method, pc } = stop;
    let location = flow.world.location_of(task);
    let code = &flow.image.code;
    let mut add = |from: Node, to: TaskId, wait: Wait| {
        edges.push(Edge { from, to: Node::Task(to), wait, task, points: vec![stop] });
    };
    match code[pc as usize] {
        Instruction::Get { .. } => {
            // A call within the group is no task.
            let is_call = pc > 0 && matches!(code[pc as usize - 1], Instruction::Sync { .. });
            let never = |to: TaskId| is_call && flow.world.location_of(to) == location && single.is_location(location);
            for to in flow.operand(method, pc).futures().filter(|&to| !never(to)) {
                add(Node::Location(location), to, Wait::Get);
                if !mutation::on(Mutation::GetWithoutTask) {
                    add(Node::Task(task), to, Wait::Get);
                }
            }
        }
        Instruction::AwaitFuture { .. } => {
            for to in flow.operand(method, pc).futures() {
                add(Node::Task(task), to, Wait::Await);
            }
        }
        Instruction::Guard { .. } => {
            let end = code[pc as usize..].iter().position(|other| matches!(other, Instruction::EndGuard { .. }));
            let end = pc + end.unwrap_or(0) as Pc;
            let mut awaited = BTreeSet::new();
            for ready in pc..end {
                if matches!(code[ready as usize], Instruction::Ready { .. }) {
                    awaited.extend(flow.operand(method, ready).futures());
                }
            }
            for to in awaited {
                add(Node::Task(task), to, Wait::Await);
            }
        }
        _ => {}
    }
}
