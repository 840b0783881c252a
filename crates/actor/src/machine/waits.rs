//! Who waits for whom.
//!
//! A task that stopped at a future waits for the future's task. A task whose group is locked waits
//! for the one that locked it, which stopped at a `get`. A circle of such waits with a lock in it
//! is a deadlock, one without is an await-cycle. Nothing dissolves a circle, so it is known as soon
//! as it closes, whatever others still do. Only a stop can close one, and then the stop is on it:
//! it is enough to follow the waits from the newest stop.
//!
//! Where nobody can move and there is no circle, somebody waits for a condition that nobody will
//! make true: the tasks are stuck.

use mazurka_trace::{Fault, FaultKind, ProcessId, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ActorMachine;
use super::value::Kind;
use crate::code::{Instruction, Slot};
use crate::mutation::{self, Mutation};

/// Which of the futures that a guard asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Those in variables without which it does not hold.
    Needed,
    All,
}

impl ActorMachine {
    /// The task that keeps others of this task's group from going on, if it is another one.
    pub(super) fn locked_by(&self, task: u32) -> Option<u32> {
        let lock = self.registry.tasks[task as usize].lock;
        match self.cells.get(lock).kind() {
            Kind::Future(holder) if holder != task => Some(holder),
            _ => None,
        }
    }

    /// The unfinished tasks whose results a task waits for. Of those that a guard asks for, only
    /// those that it cannot do without, whatever others do, or all.
    fn results_of(&self, task: u32, which: Asked) -> Vec<u32> {
        match self.instruction(task) {
            Instruction::Guard { .. } => self.awaited_by_guard(task, which),
            _ => self.awaited(task).filter(|&other| !self.has_ended(other)).into_iter().collect(),
        }
    }

    fn awaited_by_guard(&self, task: u32, which: Asked) -> Vec<u32> {
        let stack = &self.stacks[task as usize];
        let base = stack[1].as_count() as usize;
        let start = self.pc(task) as usize;
        let guard = self.image.code[start..].iter();
        let end = start + guard.take_while(|instruction| !matches!(instruction, Instruction::EndGuard { .. })).count();
        let needed = self.needed_polls(start);
        let polled = (start + 1..end).filter(|at| which == Asked::All || needed.contains(at));
        let awaited = polled.filter_map(|at| {
            let future = match (self.image.code[at - 1], self.image.code[at]) {
                (Instruction::Copy { to, from }, Instruction::Ready { future, .. }) if to == future => {
                    stack[base + from as usize]
                }
                (Instruction::Load { to, field }, Instruction::Ready { future, .. }) if to == future => {
                    let Kind::Object(object) = stack[base + 1].kind() else { return None };
                    self.cells.get(self.registry.objects[object as usize].fields + field)
                }
                _ => return None,
            };
            let Kind::Future(other) = future.kind() else { return None };
            Some(other).filter(|&other| !self.has_ended(other))
        });
        awaited.collect()
    }

    /// Where a guard asks for futures in variables without which it is false: it begins with them,
    /// and each makes it false at once.
    fn needed_polls(&self, guard: usize) -> Vec<usize> {
        let code = &self.image.code;
        let mut needed = Vec::new();
        let mut at = guard + 1;
        loop {
            match code[at] {
                Instruction::Copy { .. } | Instruction::Unless { .. } => {}
                Instruction::Ready { to, .. } if self.falsifies(at + 1, to) => needed.push(at),
                _ => return needed,
            }
            at += 1;
        }
    }

    /// Whether a guard, from here on, comes to false if a word is false.
    fn falsifies(&self, mut at: usize, mut word: Slot) -> bool {
        loop {
            match self.image.code[at] {
                Instruction::Copy { to, from } if from == word => (at, word) = (at + 1, to),
                Instruction::Unless { condition, to } if condition == word => at = to as usize,
                Instruction::EndGuard { condition, .. } => return condition == word,
                _ => return false,
            }
        }
    }

    /// The unfinished tasks whose results a task waits for, as it is now. Others may still change a
    /// field that a guard asks for.
    pub(crate) fn all_awaited(&self, task: u32) -> Vec<u32> {
        self.results_of(task, Asked::All)
    }

    /// Likewise, but only those without which it never goes on, whatever others do.
    pub(super) fn needed(&self, task: u32) -> Vec<u32> {
        self.results_of(task, Asked::Needed)
    }

    /// The first unfinished task whose result a task waits for.
    pub(super) fn waits_for_result(&self, task: u32) -> Option<u32> {
        self.results_of(task, Asked::All).first().copied()
    }

    /// See `Run::holder`: whom a task waits for; the next one of a circle, if it is on one.
    pub(super) fn waits_for(&self, task: u32) -> Option<u32> {
        let next = self.circle_from(task).map(|circle| circle.get(1).copied().unwrap_or(task));
        next.or_else(|| self.waits_for_result(task)).or_else(|| self.locked_by(task))
    }

    /// All that a task waits for, each with whether it is because of a lock.
    fn waits_of(&self, task: u32) -> impl Iterator<Item = (u32, bool)> {
        let results = self.results_of(task, Asked::Needed).into_iter().map(|other| (other, false));
        results.chain(self.locked_by(task).map(|other| (other, true)))
    }

    /// The shortest circle of waits through a live task: from the task on, everybody waits for the
    /// next, and the last one for the task.
    pub(super) fn circle_from(&self, task: u32) -> Option<Vec<u32>> {
        let mut before: FxHashMap<u32, u32> = FxHashMap::default();
        let mut reached = vec![task];
        let mut at = 0;
        while at < reached.len() {
            let one = reached[at];
            at += 1;
            for (next, _) in self.waits_of(one) {
                if next == task {
                    return Some(path_to(one, &before));
                }
                before.entry(next).or_insert_with(|| {
                    reached.push(next);
                    one
                });
            }
        }
        None
    }

    /// What a circle is called.
    fn kind_of_circle(&self, circle: &[u32]) -> FaultKind {
        let next = circle.iter().cycle().skip(1);
        let locks = circle.iter().zip(next).any(|(&one, &next)| {
            let waits = |(other, by_lock): (u32, bool)| other == next && !by_lock;
            !self.waits_of(one).any(waits)
        });
        if locks { FaultKind::Deadlock } else { FaultKind::AwaitCycle }
    }

    /// The failure of a task's step that closed a circle. It is told as that of the first of those
    /// on the circle who stopped, so that it is the same whoever stopped last.
    pub(super) fn fault_of_circle(&self, task: u32) -> Option<Fault> {
        if mutation::on(Mutation::CircleUntold) {
            return None;
        }
        let circle = self.circle_from(task)?;
        let kind = self.kind_of_circle(&circle);
        let stopped = |&&one: &&u32| !matches!(self.instruction(one), Instruction::Begin | Instruction::Resume);
        let first = *circle.iter().filter(stopped).min()?;
        let (process, site) = (ProcessId::new(first as usize), SiteId::new(self.pc(first) as usize));
        Some(Fault { kind, process, site, detail: [0; 2] })
    }

    /// See `Run::standstill`.
    pub(super) fn kind_of_standstill(&self) -> FaultKind {
        let live: Vec<u32> = self.live.iter().map(|process| process.index() as u32).collect();
        let holders = live.iter().filter(|&&task| matches!(self.instruction(task), Instruction::Get { .. }));
        for &holder in holders {
            if self.reaches(holder, |task| self.locked_by(task) == Some(holder)) {
                return FaultKind::Deadlock;
            }
        }
        let circle = |&task: &u32| self.reaches(task, |other| self.results_of(other, Asked::All).contains(&task));
        if live.iter().any(circle) { FaultKind::AwaitCycle } else { FaultKind::Stuck }
    }

    /// Whether one of those that a task waits for, directly or not, itself included, is such a one.
    fn reaches(&self, task: u32, is_it: impl Fn(u32) -> bool) -> bool {
        let mut seen = FxHashSet::from_iter([task]);
        let mut left = vec![task];
        while let Some(one) = left.pop() {
            if is_it(one) {
                return true;
            }
            let waits = self.results_of(one, Asked::All).into_iter().chain(self.locked_by(one));
            left.extend(waits.filter(|&next| seen.insert(next)));
        }
        false
    }
}

/// The way to a task, from the one that nobody comes before.
fn path_to(task: u32, before: &FxHashMap<u32, u32>) -> Vec<u32> {
    let mut path = vec![task];
    let mut at = task;
    while let Some(&one) = before.get(&at) {
        path.push(one);
        at = one;
    }
    path.reverse();
    path
}
