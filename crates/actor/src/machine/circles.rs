//! The circles of waits in the current state, as they are.

use mazurka_machine::Run;
use mazurka_trace::ProcessId;
use mazurka_waits::{Successors, cycles};
use rustc_hash::FxHashSet;

use super::registry::{NOBODY, Owner};
use super::rooted::Kind as TaskKind;
use super::show::{object_name, task_name};
use super::value::Kind;
use super::{ActorMachine, TASK};
use crate::code::{Instruction, Pc};

/// So many circles are looked at.
const MOST: usize = 1_000;

/// Who waits, or is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Waiter {
    Task(u32),
    /// The location of this task, which it keeps.
    LocationOf(u32),
}

/// Why one waits for the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Wait {
    /// A `get`, which keeps the location.
    Get,
    /// An `await`.
    Await,
    /// The task has to go on, and its location is blocked.
    Lock,
}

/// A wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Circle {
    pub(crate) from: Waiter,
    pub(crate) to: Waiter,
    pub(crate) wait: Wait,
    /// The task that stands at the point.
    pub(crate) task: u32,
}

/// Where a task stands: the method that runs there, and its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) pc: Pc,
    pub(crate) body: u32,
    pub(crate) object: Option<u32>,
}

impl ActorMachine {
    /// Whether nobody can step.
    pub(crate) fn is_still(&mut self) -> bool {
        let live: Vec<ProcessId> = self.live.iter().collect();
        live.into_iter().all(|process| !self.is_enabled(process))
    }

    /// The circles of waits in the current state, each as its waits: as long as somebody can step,
    /// only those that nothing dissolves; where everything is `still`, all of them.
    pub(crate) fn circles(&self, still: bool) -> Vec<Vec<Circle>> {
        let waits = self.all_waits(still);
        let mut nodes: Vec<Waiter> = waits.iter().flat_map(|wait| [wait.from, wait.to]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: Waiter| nodes.binary_search(&node).unwrap_or_default();
        let mut successors: Successors = vec![Vec::new(); nodes.len()];
        for (edge, wait) in waits.iter().enumerate() {
            successors[number(wait.from)].push((edge, number(wait.to)));
        }
        let found = cycles(&successors, MOST).all;
        found.into_iter().map(|circle| circle.into_iter().map(|edge| waits[edge]).collect()).collect()
    }

    /// The task whose newest step ended in a wait. Only that can have closed a circle.
    pub(crate) fn has_just_stopped(&self) -> Option<u32> {
        let task = self.records.last()?.task;
        let waits = self.live.contains(ProcessId::new(task as usize)) && !self.all_awaited(task).is_empty();
        waits.then_some(task)
    }

    fn all_waits(&self, still: bool) -> Vec<Circle> {
        let mut waits = Vec::new();
        let is_guard = |task: u32| matches!(self.instruction(task), Instruction::Guard { .. });
        let dead = if self.unfinished().any(is_guard) { self.dead() } else { FxHashSet::default() };
        for task in self.unfinished() {
            let from = Waiter::Task(task);
            let is_get = matches!(self.instruction(task), Instruction::Get { .. });
            let wait = if is_get { Wait::Get } else { Wait::Await };
            // Nobody writes fields in a location that stays blocked, so what a guard asks for
            // stays.
            let is_settled = still || dead.contains(&task);
            for awaited in if is_settled { self.all_awaited(task) } else { self.needed(task) } {
                let to = Waiter::Task(awaited);
                waits.push(Circle { from, to, wait, task });
                if is_get {
                    waits.push(Circle { from: Waiter::LocationOf(task), to, wait, task });
                }
            }
            if let Some(holder) = self.locked_by(task) {
                waits.push(Circle { from, to: Waiter::LocationOf(holder), wait: Wait::Lock, task });
            }
        }
        waits
    }

    /// Where a task stands.
    pub(crate) fn frame_of(&self, task: u32) -> Frame {
        self.frame_at(task, self.stacks[task as usize][1].as_count() as usize, self.pc(task))
    }

    fn frame_at(&self, task: u32, base: usize, pc: Pc) -> Frame {
        let object = match self.stacks[task as usize][base + 1].kind() {
            Kind::Object(object) => Some(object),
            _ => None,
        };
        Frame { pc, body: self.image.owners[pc as usize], object }
    }

    /// Where a task stands, then the calls within the group that it stands in.
    pub(crate) fn frames_of(&self, task: u32) -> Vec<Frame> {
        let stack = &self.stacks[task as usize];
        let (mut base, mut pc) = (stack[1].as_count() as usize, self.pc(task));
        let mut frames = vec![self.frame_at(task, base, pc)];
        while base > TASK {
            pc = stack[base].as_count();
            let Instruction::Sync { first, .. } = self.image.code[pc as usize] else { break };
            base -= first as usize;
            frames.push(self.frame_at(task, base, pc));
        }
        frames
    }

    /// The unfinished tasks.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = u32> + '_ {
        self.live.iter().map(|process| process.index() as u32)
    }

    /// The method of a task, and where its object was made.
    pub(crate) fn kind_of(&self, task: u32) -> TaskKind {
        let (body, object) = self.root_of(task);
        (body, object.map(|object| self.maker_of(object).0))
    }

    /// The unfinished tasks in the order in which their locations were made.
    pub(crate) fn by_location(&self) -> Vec<ProcessId> {
        let mut tasks: Vec<ProcessId> = self.live.iter().collect();
        tasks.sort_by_key(|task| self.lock_of_task(task.index() as u32));
        tasks
    }

    /// The lock of a task's location.
    pub(crate) fn lock_of_task(&self, task: u32) -> u32 {
        self.registry.tasks[task as usize].lock
    }

    /// The body and the object of a task.
    pub(crate) fn root_of(&self, task: u32) -> (u32, Option<u32>) {
        let task = self.registry.tasks[task as usize];
        (task.body, Some(task.receiver).filter(|&object| object != NOBODY))
    }

    /// Where an object was made, by which one, and whether it lives in the location of that one.
    pub(crate) fn maker_of(&self, object: u32) -> (Pc, Option<u32>, bool) {
        let (pc, maker) = self.makers[object as usize];
        let lock = self.registry.objects[object as usize].lock;
        let is_local = !matches!(self.registry.owners[lock as usize], Owner::Lock(founder) if founder == object);
        (pc, Some(maker).filter(|&maker| maker != NOBODY), is_local)
    }

    /// The line in which a task stands.
    pub(crate) fn line_of(&self, task: u32) -> usize {
        self.image.place_of(self.image.places[self.pc(task) as usize]).line
    }

    pub(crate) fn name_of(&self, waiter: Waiter) -> String {
        match waiter {
            Waiter::Task(task) => task_name(&self.image, &self.registry, task),
            Waiter::LocationOf(task) => match self.registry.tasks[task as usize].receiver {
                NOBODY => "main".to_owned(),
                object => object_name(&self.image, &self.registry, object),
            },
        }
    }
}
