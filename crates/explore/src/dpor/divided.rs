//! Strategies that several workers can follow.

use mazurka_machine::{Companion, Describe, Machine};

use crate::checkpoint::Deposit;
use crate::driver::Strategy;
use crate::frontier::{Frontier, Node};
use crate::plan::Plan;
use crate::search::Search;

/// One worker's part of an exploration.
pub(crate) trait Divided<'f, M: Machine + Describe + Companion>: Strategy<M> {
    /// A worker with its first task.
    fn begin(frontier: &'f Frontier, worker: usize, task: Node, plan: Plan) -> Self;

    /// How many steps were taken that had been taken before.
    fn repeated(&self) -> i64;

    /// Whether a task has not come to its end.
    fn has_task(&self) -> bool;

    /// What the worker has come to.
    fn deposit(&self, search: &Search<'_, M>) -> Deposit;
}
