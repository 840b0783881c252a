//! What can still be reached: by the code that a task has left, and by all that it may call.
//!
//! Values are not looked at: every branch can be taken.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::Analysis;
use super::super::parallel::Rest;
use super::super::world::TaskId;
use crate::code::{Image, Instruction, Pc};
use crate::fixpoint::handler;
use crate::machine::ActorMachine;
use crate::mutation::{self, Mutation};

/// The methods that a call leads to, as tasks or within the task.
pub(in crate::deadlock) struct Called(BTreeMap<(TaskId, Pc), BTreeSet<TaskId>>);

impl Called {
    pub(in crate::deadlock) fn of(
        calls: BTreeMap<(TaskId, Pc), BTreeSet<TaskId>>,
        within: BTreeMap<(TaskId, Pc), BTreeSet<TaskId>>,
    ) -> Self {
        let mut all = calls;
        for (at, methods) in within {
            all.entry(at).or_default().extend(methods);
        }
        Called(all)
    }
}

/// Which points can be reached from where.
pub(super) struct Remaining<'a> {
    analysis: &'a Analysis,
    points: Vec<Rest>,
    /// For each place that was asked for, whether each point is reached.
    known: FxHashMap<Rest, Rc<[bool]>>,
}

impl<'a> Remaining<'a> {
    pub(super) fn new(analysis: &'a Analysis, points: Vec<Rest>) -> Self {
        Remaining { analysis, points, known: FxHashMap::default() }
    }

    /// For each point, whether some unfinished task can still come to it, or call one that can.
    pub(super) fn reachable(&mut self, machine: &ActorMachine) -> Vec<bool> {
        let mut reachable = vec![false; self.points.len()];
        for task in machine.unfinished() {
            for (depth, frame) in machine.frames_of(task).into_iter().enumerate() {
                let pc = self.next(frame.pc, depth);
                let Some(method) = self.analysis.method_of(machine, frame) else {
                    // The analysis does not know this method: then anything can come of it.
                    return vec![true; self.points.len()];
                };
                let from = self.from(Rest { method, pc });
                reachable.iter_mut().zip(from.iter()).for_each(|(all, one)| *all |= one);
            }
        }
        reachable
    }

    /// Where the code begins that a frame has left. A stop at a future is over when it goes on.
    fn next(&self, pc: Pc, depth: usize) -> Pc {
        let image = self.analysis.names.image();
        match image.code[pc as usize] {
            _ if depth > 0 => pc + 2,
            Instruction::Get { .. } | Instruction::AwaitFuture { .. } => {
                let after = pc + 1;
                if mutation::on(Mutation::FromTheNextStop) { next_stop(image, after) } else { after }
            }
            _ => pc,
        }
    }

    fn from(&mut self, start: Rest) -> Rc<[bool]> {
        if let Some(known) = self.known.get(&start) {
            return Rc::clone(known);
        }
        let mut seen = BTreeSet::from([start]);
        let mut left = vec![start];
        while let Some(at) = left.pop() {
            let next = self.successors(at).into_iter().filter(|&next| seen.insert(next));
            left.extend(next);
        }
        let reached: Rc<[bool]> = self.points.iter().map(|point| seen.contains(point)).collect();
        self.known.insert(start, Rc::clone(&reached));
        reached
    }

    /// The instructions that can come next, here or in what is called.
    fn successors(&self, Rest { method, pc }: Rest) -> Vec<Rest> {
        let image = self.analysis.names.image();
        let own = code_after(image, pc).into_iter().map(|pc| Rest { method, pc });
        let called = self.analysis.called.0.get(&(method, pc)).into_iter().flatten();
        let entry = |&method: &TaskId| {
            let body = self.analysis.world.tasks[method.index()].body;
            Rest { method, pc: image.bodies[body as usize].entry }
        };
        own.chain(called.map(entry)).collect()
    }
}

/// The instructions of the same body that can come after one.
fn code_after(image: &Image, pc: Pc) -> Vec<Pc> {
    let mut after: Vec<Pc> = handler(image, pc).map(|handler| handler.target).into_iter().collect();
    match image.code[pc as usize] {
        Instruction::Return { .. }
        | Instruction::ReturnThis
        | Instruction::Throw { .. }
        | Instruction::NoMatch { .. } => {}
        Instruction::Jump { to } => after.push(to),
        Instruction::Unless { to, .. }
        | Instruction::When { to, .. }
        | Instruction::Unmatched { to, .. }
        | Instruction::Unequal { to, .. } => after.extend([pc + 1, to]),
        Instruction::Sync { .. } => after.extend([pc + 1, pc + 2]),
        _ => after.push(pc + 1),
    }
    after
}

/// The next place at which a task stops, in the order of the code.
fn next_stop(image: &Image, pc: Pc) -> Pc {
    let is_stop = |pc: &Pc| {
        let instruction = image.code[*pc as usize];
        matches!(
            instruction,
            Instruction::Get { .. }
                | Instruction::AwaitFuture { .. }
                | Instruction::Return { .. }
                | Instruction::Guard { .. }
        )
    };
    (pc..image.code.len() as Pc).find(is_stop).unwrap_or(pc)
}
