//! Conditions on a state, as a list of operations on a stack.
//!
//! Evaluating one tells which locations decided about it: as long as those stay as they are, so
//! does the value. What `&&`, `||` and `? :` do not need is not among them. Linear in the
//! condition, with no recursion.

use mazurka_trace::Value;

use super::Cells;
use crate::hir::{Binary, Expr, ExprId, ExprKind, Unary};
use crate::operator::apply;

/// Of which of the two processes a local is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Left,
    Right,
}

/// One operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Constant(Value),
    Local(Side, u32),
    Global(u32),
    /// Replaces an index.
    Cell(Cells),
    Unary(Unary),
    Binary(Binary),
    /// Where the topmost value has this truth, it stays and the rest is left out; otherwise it
    /// goes.
    SkipIf(bool, u32),
    /// Takes the topmost value; leaves the rest out where it is false.
    JumpIfFalse(u32),
    Jump(u32),
}

/// A condition about two processes.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    operations: Vec<Operation>,
}

/// What is left to do for an expression, innermost last.
enum Task {
    Evaluate(ExprId),
    Emit(Operation),
    /// A forward jump whose target is not known yet.
    Branch(Operation),
    Land,
    /// Jumps over the second arm, which begins here.
    Otherwise,
}

impl Condition {
    /// Compiles an expression. Its locals count through those of the left process, of which there
    /// are `split`, then through those of the right one. None where it makes data choices.
    pub(crate) fn new(exprs: &[Expr], root: ExprId, split: usize, variables: &[Cells]) -> Option<Condition> {
        let mut operations = Vec::new();
        let mut open = Vec::new();
        let mut tasks = vec![Task::Evaluate(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Evaluate(expr) => evaluate(&exprs[expr.index()].kind, split, variables, &mut tasks)?,
                Task::Emit(operation) => operations.push(operation),
                Task::Branch(operation) => {
                    open.push(operations.len());
                    operations.push(operation);
                }
                Task::Land => {
                    let from = open.pop()?;
                    land(&mut operations, from);
                }
                Task::Otherwise => {
                    let from = open.pop()?;
                    open.push(operations.len());
                    operations.push(Operation::Jump(0));
                    land(&mut operations, from);
                }
            }
        }
        Some(Condition { operations })
    }

    /// Whether it is the constant `true`.
    pub(crate) fn is_true(&self) -> bool {
        matches!(self.operations[..], [Operation::Constant(value)] if value != 0)
    }

    /// Whether it holds, with the locals of the two processes; the slots of `memory` that decided
    /// about it are added to `reads`. What has no value (a division by zero, an index out of
    /// bounds) does not hold.
    pub(crate) fn holds(
        &self,
        memory: &[Value],
        left: &[Value],
        right: &[Value],
        stack: &mut Vec<Value>,
        reads: &mut Vec<u32>,
    ) -> bool {
        stack.clear();
        self.run(memory, left, right, stack, reads).is_some() && stack.pop().is_some_and(|value| value != 0)
    }

    fn run(
        &self,
        memory: &[Value],
        left: &[Value],
        right: &[Value],
        stack: &mut Vec<Value>,
        reads: &mut Vec<u32>,
    ) -> Option<()> {
        let mut read = |slot: u32| {
            reads.push(slot);
            memory[slot as usize]
        };
        let mut at = 0;
        while let Some(&operation) = self.operations.get(at) {
            at += 1;
            match operation {
                Operation::Constant(value) => stack.push(value),
                Operation::Local(Side::Left, slot) => stack.push(*left.get(slot as usize)?),
                Operation::Local(Side::Right, slot) => stack.push(*right.get(slot as usize)?),
                Operation::Global(slot) => stack.push(read(slot)),
                Operation::Cell(cells) => {
                    let index = u32::try_from(stack.pop()?).ok().filter(|&index| index < cells.length)?;
                    stack.push(read(cells.first + index));
                }
                Operation::Unary(Unary::Not) => {
                    let value = stack.pop()?;
                    stack.push(Value::from(value == 0));
                }
                Operation::Unary(Unary::Negate) => {
                    let value = stack.pop()?.checked_neg()?;
                    stack.push(value);
                }
                Operation::Binary(operator) => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    stack.push(apply(operator, left, right)?);
                }
                Operation::SkipIf(truth, to) => {
                    if (*stack.last()? != 0) == truth {
                        at = to as usize;
                    } else {
                        stack.pop();
                    }
                }
                Operation::JumpIfFalse(to) => {
                    if stack.pop()? == 0 {
                        at = to as usize;
                    }
                }
                Operation::Jump(to) => at = to as usize,
            }
        }
        Some(())
    }
}

fn land(operations: &mut [Operation], from: usize) {
    let here = operations.len() as u32;
    match &mut operations[from] {
        Operation::SkipIf(_, to) | Operation::JumpIfFalse(to) | Operation::Jump(to) => *to = here,
        other => unreachable!("{other:?} is no jump"),
    }
}

fn evaluate(kind: &ExprKind, split: usize, variables: &[Cells], tasks: &mut Vec<Task>) -> Option<()> {
    match *kind {
        ExprKind::Value(value) => tasks.push(Task::Emit(Operation::Constant(value))),
        ExprKind::Local(local) => {
            let (side, slot) = match local.index().checked_sub(split) {
                None => (Side::Left, local.index()),
                Some(slot) => (Side::Right, slot),
            };
            tasks.push(Task::Emit(Operation::Local(side, slot as u32)));
        }
        ExprKind::Global(global) => {
            tasks.push(Task::Emit(Operation::Global(variables.get(global.index())?.first)));
        }
        ExprKind::Cell(global, index) => {
            let cell = Operation::Cell(*variables.get(global.index())?);
            tasks.extend([Task::Emit(cell), Task::Evaluate(index)]);
        }
        ExprKind::Unary(operator, operand) => {
            tasks.extend([Task::Emit(Operation::Unary(operator)), Task::Evaluate(operand)]);
        }
        ExprKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            let skip = Task::Branch(Operation::SkipIf(operator == Binary::Or, 0));
            tasks.extend([Task::Land, Task::Evaluate(right), skip, Task::Evaluate(left)]);
        }
        ExprKind::Binary(operator, left, right) => {
            tasks.extend([Task::Emit(Operation::Binary(operator)), Task::Evaluate(right), Task::Evaluate(left)]);
        }
        ExprKind::Conditional(condition, yes, no) => {
            let jump = Task::Branch(Operation::JumpIfFalse(0));
            tasks.extend([Task::Land, Task::Evaluate(no), Task::Otherwise, Task::Evaluate(yes)]);
            tasks.extend([jump, Task::Evaluate(condition)]);
        }
        ExprKind::Choose(..) => return None,
    }
    Some(())
}
