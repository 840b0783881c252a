//! Expressions, with an explicit stack of work: a chain of a million operands is a long program,
//! not a deep one.

use mazurka_trace::SiteId;

use crate::code::{Cells, Instruction, Subject};
use crate::hir::{Binary, ExprId, ExprKind, Unary};

use super::Lowerer;

/// What is left to do for an expression, innermost last.
pub(super) enum Task {
    Evaluate(ExprId),
    Emit(Instruction, SiteId),
    /// A forward jump whose target is not known yet.
    Branch(Instruction),
    /// The target of the latest open jump is here.
    Land,
    /// The end of a conditional's first arm: jumps over the second, which begins here.
    Otherwise,
}

impl Lowerer<'_> {
    /// Emits code that leaves the expression's value in the accumulator. Linear in the expression.
    pub(super) fn evaluate(&mut self, root: ExprId) {
        let mut tasks = std::mem::take(&mut self.tasks);
        let mut open = Vec::new();
        tasks.push(Task::Evaluate(root));
        while let Some(task) = tasks.pop() {
            match task {
                Task::Evaluate(expr) => self.evaluate_one(expr, &mut tasks),
                Task::Emit(instruction, site) => {
                    self.emit_at(instruction, site);
                }
                Task::Branch(instruction) => open.push(self.emit(instruction)),
                Task::Land => self.land(open.pop().expect("jumps nest")),
                Task::Otherwise => {
                    let over = self.emit(Instruction::Jump(0));
                    self.land(open.pop().expect("jumps nest"));
                    open.push(over);
                }
            }
        }
        self.tasks = tasks;
    }

    fn evaluate_one(&mut self, expr: ExprId, tasks: &mut Vec<Task>) {
        let program = self.program;
        let span = program.exprs[expr.index()].span;
        match program.exprs[expr.index()].kind {
            ExprKind::Value(value) => {
                self.emit(Instruction::Constant(value));
            }
            ExprKind::Local(local) => {
                self.emit(Instruction::Local(local.0));
            }
            ExprKind::Global(global) => {
                let slot = self.variables[global.index()].first;
                self.emit(Instruction::Global(slot));
            }
            ExprKind::Cell(global, index) => {
                let cells = self.variables[global.index()];
                let site = self.site(span, Subject::Array(global.0));
                if let Some(slot) = self.constant_cell(cells, index) {
                    self.emit(Instruction::Global(slot));
                } else if let ExprKind::Local(local) = program.exprs[index.index()].kind {
                    self.emit_at(Instruction::CellLocal(cells, local.0), site);
                } else {
                    tasks.extend([Task::Emit(Instruction::Cell(cells), site), Task::Evaluate(index)]);
                }
            }
            ExprKind::Unary(operator, operand) => {
                let instruction = match operator {
                    Unary::Negate => Instruction::Negate,
                    Unary::Not => Instruction::Not,
                };
                let site = self.site(span, Subject::Plain);
                tasks.push(Task::Emit(instruction, site));
                tasks.push(Task::Evaluate(operand));
            }
            ExprKind::Binary(Binary::And, left, right) => {
                let branch = Task::Branch(Instruction::JumpIfFalse(0));
                tasks.extend([Task::Land, Task::Evaluate(right), branch, Task::Evaluate(left)]);
            }
            ExprKind::Binary(Binary::Or, left, right) => {
                let branch = Task::Branch(Instruction::JumpIfTrue(0));
                tasks.extend([Task::Land, Task::Evaluate(right), branch, Task::Evaluate(left)]);
            }
            ExprKind::Binary(operator, left, right) => {
                let site = self.operator_site(operator, expr);
                if let Some(instruction) = self.plain_binary(operator, left, right) {
                    self.emit_at(instruction, site);
                    return;
                }
                match self.binary_with(operator, right) {
                    Some(instruction) => {
                        tasks.extend([Task::Emit(instruction, site), Task::Evaluate(left)]);
                    }
                    None => tasks.extend([
                        Task::Emit(Instruction::Binary(operator), site),
                        Task::Evaluate(right),
                        Task::Emit(Instruction::Push, site),
                        Task::Evaluate(left),
                    ]),
                }
            }
            ExprKind::Conditional(condition, yes, no) => {
                let branch = Task::Branch(Instruction::JumpIfFalse(0));
                let arms = [Task::Land, Task::Evaluate(no), Task::Otherwise, Task::Evaluate(yes)];
                tasks.extend(arms);
                tasks.extend([branch, Task::Evaluate(condition)]);
            }
            ExprKind::Choose(low, high) => {
                let site = self.site(span, Subject::Plain);
                tasks.extend([
                    Task::Emit(Instruction::Choose, site),
                    Task::Evaluate(high),
                    Task::Emit(Instruction::Push, site),
                    Task::Evaluate(low),
                ]);
            }
        }
    }

    /// The slot of a cell whose index is a constant within bounds.
    pub(super) fn constant_cell(&self, cells: Cells, index: ExprId) -> Option<u32> {
        match self.program.exprs[index.index()].kind {
            ExprKind::Value(at) if (0..i64::from(cells.length)).contains(&at) => Some(cells.first + at as u32),
            _ => None,
        }
    }

    /// The operator on a variable and a constant, as one instruction.
    fn plain_binary(&self, operator: Binary, left: ExprId, right: ExprId) -> Option<Instruction> {
        let ExprKind::Value(right) = self.program.exprs[right.index()].kind else { return None };
        match self.program.exprs[left.index()].kind {
            ExprKind::Local(local) => Some(Instruction::LocalBinaryConstant(operator, local.0, right)),
            ExprKind::Global(global) => {
                let slot = self.variables[global.index()].first;
                Some(Instruction::GlobalBinaryConstant(operator, slot, right))
            }
            _ => None,
        }
    }

    /// The operator with a plain right operand, as one instruction.
    fn binary_with(&self, operator: Binary, right: ExprId) -> Option<Instruction> {
        match self.program.exprs[right.index()].kind {
            ExprKind::Value(value) => Some(Instruction::BinaryConstant(operator, value)),
            ExprKind::Local(local) => Some(Instruction::BinaryLocal(operator, local.0)),
            ExprKind::Global(global) => Some(Instruction::BinaryGlobal(operator, self.variables[global.index()].first)),
            _ => None,
        }
    }

    /// A site of its own for an operator that can fail, the statement's for one that cannot.
    pub(super) fn operator_site(&mut self, operator: Binary, expr: ExprId) -> SiteId {
        use Binary::{Add, Divide, Multiply, Remainder, Subtract};
        match operator {
            Add | Subtract | Multiply | Divide | Remainder => {
                self.site(self.program.exprs[expr.index()].span, Subject::Operator(operator))
            }
            _ => self.current,
        }
    }
}
