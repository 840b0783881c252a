//! Who waits for whom where nobody can move.
//!
//! A task that stopped at a future waits for the future's task. A task whose group is locked waits
//! for the one that locked it, which stopped at a `get`. A circle of such waits with a lock in it
//! is a deadlock, one without is an await-cycle. Where there is none, somebody waits for a
//! condition that nobody will make true: the tasks are stuck.

use mazurka_trace::FaultKind;

use super::ActorMachine;
use super::value::Kind;
use crate::code::Instruction;

impl ActorMachine {
    /// The task that keeps others of this task's group from going on, if it is another one.
    pub(super) fn locked_by(&self, task: u32) -> Option<u32> {
        let lock = self.registry.tasks[task as usize].lock;
        match self.cells.get(lock).kind() {
            Kind::Future(holder) if holder != task => Some(holder),
            _ => None,
        }
    }

    /// The unfinished task whose result a task waits for.
    pub(super) fn waits_for_result(&self, task: u32) -> Option<u32> {
        match self.instruction(task) {
            Instruction::Guard { .. } => self.awaited_by_guard(task),
            _ => self.awaited(task).filter(|&other| !self.has_ended(other)),
        }
    }

    /// See `Run::holder`: whom a task waits for.
    pub(super) fn waits_for(&self, task: u32) -> Option<u32> {
        self.waits_for_result(task).or_else(|| self.locked_by(task))
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
        let circle = |&task: &u32| self.reaches(task, |other| self.waits_for_result(other) == Some(task));
        if live.iter().any(circle) { FaultKind::AwaitCycle } else { FaultKind::Stuck }
    }

    /// Whether one of those that a task waits for, directly or not, itself included, is such a one.
    fn reaches(&self, task: u32, is_it: impl Fn(u32) -> bool) -> bool {
        let mut seen = vec![task];
        let mut at = 0;
        while at < seen.len() {
            let one = seen[at];
            at += 1;
            if is_it(one) {
                return true;
            }
            for next in [self.waits_for_result(one), self.locked_by(one)].into_iter().flatten() {
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
        }
        false
    }
}
