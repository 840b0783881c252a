//! Less than every choice: which object moves next, and which of its tasks.
//!
//! What a task may do then depends on what others do, so this is for exploring without reductions.

use super::ActorMachine;
use crate::options::{ObjectChoice, TaskChoice};

/// Which choices are explored, and since when tasks have been waiting for their turn.
#[derive(Clone, Debug)]
pub(super) struct Choosing {
    objects: ObjectChoice,
    tasks: TaskChoice,
    /// For each task, as which of all it was put into its object's queue.
    queued: Vec<u64>,
    /// What to restore: after how many steps, whose place, which.
    log: Vec<(u32, u32, u64)>,
    next: u64,
}

impl Choosing {
    pub(super) fn new(objects: ObjectChoice, tasks: TaskChoice) -> Self {
        Self { objects, tasks, queued: vec![0], log: Vec::new(), next: 1 }
    }

    /// A task was called, or has stopped, in a step.
    pub(super) fn enqueue(&mut self, step: u32, task: u32) {
        if self.queued.len() <= task as usize {
            self.queued.resize(task as usize + 1, 0);
        }
        self.log.push((step, task, std::mem::replace(&mut self.queued[task as usize], self.next)));
        self.next += 1;
    }

    /// So many steps are left.
    pub(super) fn undo(&mut self, steps: u32) {
        while let Some((_, task, old)) = self.log.pop_if(|(step, ..)| *step >= steps) {
            self.queued[task as usize] = old;
            self.next -= 1;
        }
    }
}

impl ActorMachine {
    /// From now on, explores only some choices of objects and tasks.
    pub fn restrict(&mut self, objects: ObjectChoice, tasks: TaskChoice) {
        let all = objects == ObjectChoice::All && tasks == TaskChoice::All;
        self.choosing = (!all).then(|| Box::new(Choosing::new(objects, tasks)));
    }

    /// Whether it is a task's turn: it can be stepped, and is one of those that are chosen.
    pub(super) fn has_turn(&mut self, task: u32) -> bool {
        if !self.can_step(task) {
            return false;
        }
        let Some(choosing) = self.choosing.take() else { return true };
        let able: Vec<u32> = self.live.iter().map(|process| process.index() as u32).collect();
        let able: Vec<u32> = able.into_iter().filter(|&other| self.can_step(other)).collect();
        let lock = |task: u32| self.registry.tasks[task as usize].lock;
        let beside = able.iter().copied().filter(|&other| lock(other) == lock(task));
        let place = |&task: &u32| choosing.queued.get(task as usize).copied().unwrap_or(0);
        let first = match choosing.tasks {
            TaskChoice::All => true,
            TaskChoice::Fifo => beside.min_by_key(place) == Some(task),
            TaskChoice::Lifo => beside.max_by_key(place) == Some(task),
        };
        let last = self.records.last().map_or(0, |record| lock(record.task));
        // The next object after the one that moved last, in a circle.
        let distance = |other: u32| lock(other).wrapping_sub(last + 1);
        let nearest = || able.iter().all(|&other| distance(task) <= distance(other));
        let chosen = first && (choosing.objects == ObjectChoice::All || nearest());
        self.choosing = Some(choosing);
        chosen
    }
}
