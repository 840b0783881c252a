//! Strategies that several workers can follow.

use mazurka_machine::{Describe, Machine};

use crate::driver::Strategy;
use crate::frontier::{Frontier, Node};

/// One worker's part of an exploration.
pub(crate) trait Divided<'f, M: Machine + Describe>: Strategy<M> {
    /// A worker with its first task.
    fn begin(frontier: &'f Frontier, worker: usize, task: Node) -> Self;

    /// How many steps were taken that had been taken before.
    fn repeated(&self) -> i64;

    /// Whether a task has not come to its end.
    fn has_task(&self) -> bool;
}
