//! What each instruction does to a path. Jumps and ends are for [`execute`](super::execute).

use mazurka_smt::{Sort, Term};
use mazurka_trace::{FaultKind, Value};

use crate::code::{Cells, FREE, Instruction};
use crate::hir::{Binary, Type};

use super::execute::Execution;
use super::path::{Path, fit, number, truth};
use super::transition::AccessKind;

/// The functions for what is not linear.
pub(crate) const PRODUCT: &str = " * ";
pub(crate) const QUOTIENT: &str = " / ";
pub(crate) const REMAINDER: &str = " % ";

impl Execution<'_> {
    pub(super) fn instruct(&mut self, instruction: Instruction, pc: usize, path: &mut Path) {
        match instruction {
            Instruction::Constant(value) => path.value = self.arena.int(value),
            Instruction::Local(local) => path.value = path.state.locals[local as usize],
            Instruction::Global(slot) => path.value = self.read(path, slot),
            Instruction::Cell(cells) => {
                let index = number(self.arena, path.value);
                path.value = self.read_cell(path, cells, index, pc);
            }
            Instruction::CellLocal(cells, local) => {
                let index = number(self.arena, path.state.locals[local as usize]);
                path.value = self.read_cell(path, cells, index, pc);
            }
            Instruction::Push => path.stack.push(path.value),
            Instruction::Binary(operator) => {
                let left = pop(path);
                self.binary(path, operator, left, path.value, pc);
            }
            Instruction::BinaryConstant(operator, right) => {
                let right = self.arena.int(right);
                self.binary(path, operator, path.value, right, pc);
            }
            Instruction::LocalBinaryConstant(operator, local, right) => {
                let right = self.arena.int(right);
                self.binary(path, operator, path.state.locals[local as usize], right, pc);
            }
            Instruction::GlobalBinaryConstant(operator, slot, right) => {
                let (left, right) = (self.read(path, slot), self.arena.int(right));
                self.binary(path, operator, left, right, pc);
            }
            Instruction::BinaryLocal(operator, local) => {
                self.binary(path, operator, path.value, path.state.locals[local as usize], pc);
            }
            Instruction::BinaryGlobal(operator, slot) => {
                let right = self.read(path, slot);
                self.binary(path, operator, path.value, right, pc);
            }
            Instruction::Negate => {
                let value = number(self.arena, path.value);
                let negative = self.arena.negate(value);
                path.value = self.fitting(path, negative, pc);
            }
            Instruction::Not => {
                let value = truth(self.arena, path.value);
                path.value = self.arena.not(value);
            }
            Instruction::Choose => {
                let low = pop(path);
                let (low, high) = (number(self.arena, low), number(self.arena, path.value));
                path.value = self.choose(path, low, high, pc);
            }
            Instruction::SetLocal(local) => self.set_local(path, local, path.value),
            Instruction::ConstantToLocal(local, value) => {
                let value = self.arena.int(value);
                self.set_local(path, local, value);
            }
            Instruction::GlobalToLocal { local, global } => {
                let value = self.read(path, global);
                self.set_local(path, local, value);
            }
            Instruction::SetGlobal(slot) => self.write(path, slot, path.value),
            Instruction::ConstantToGlobal(slot, value) => {
                let value = self.arena.int(value);
                self.write(path, slot, value);
            }
            Instruction::LocalToGlobal { global, local } => {
                self.write(path, global, path.state.locals[local as usize]);
            }
            Instruction::AddToGlobal(slot, value) => {
                let (left, right) = (self.read(path, slot), self.arena.int(value));
                self.binary(path, Binary::Add, left, right, pc);
                self.write(path, slot, path.value);
            }
            Instruction::SetCell(cells) => {
                let index = pop(path);
                self.write_cell(path, cells, index, path.value, pc);
            }
            Instruction::SetCellLocal(cells, local) => {
                self.write_cell(path, cells, path.state.locals[local as usize], path.value, pc);
            }
            Instruction::Lock(slot) => {
                let (object, index) = self.fixed(slot);
                self.lock(path, object, index);
            }
            Instruction::LockCell(cells) => {
                let (object, index) = self.cell(path, cells, path.value, pc);
                self.lock(path, object, Some(index));
            }
            Instruction::Unlock(slot) => {
                let (object, index) = self.fixed(slot);
                self.unlock(path, object, index, pc);
            }
            Instruction::UnlockCell(cells) => {
                let (object, index) = self.cell(path, cells, path.value, pc);
                self.unlock(path, object, Some(index), pc);
            }
            Instruction::Await => {
                let condition = truth(self.arena, path.value);
                self.wait_for(path, condition);
            }
            Instruction::Assume => {
                let condition = truth(self.arena, path.value);
                self.assume(path, condition);
            }
            Instruction::Assert => {
                let condition = truth(self.arena, path.value);
                self.claim(path, condition, pc);
            }
            Instruction::Spawn { body } => self.spawn(path, body as usize),
            Instruction::Stop(_)
            | Instruction::End { .. }
            | Instruction::Nowhere
            | Instruction::Jump(_)
            | Instruction::Loop(_)
            | Instruction::JumpIfFalse(_)
            | Instruction::JumpIfTrue(_) => unreachable!("{instruction:?} is not for here"),
        }
    }

    fn set_local(&mut self, path: &mut Path, local: u32, value: Term) {
        let own = &mut path.state.locals[local as usize];
        let sort = self.arena.sort(*own);
        *own = fit(self.arena, value, sort);
    }

    /// The object and index of a location that is known.
    fn fixed(&mut self, slot: u32) -> (usize, Option<Term>) {
        let (object, index) = self.program.locate(slot);
        (object, index.map(|index| self.arena.int(index as i128)))
    }

    /// The object and index of a cell; where the index is out of bounds, the step fails.
    fn cell(&mut self, path: &mut Path, cells: Cells, index: Term, pc: usize) -> (usize, Term) {
        let index = number(self.arena, index);
        let inside = self.arena.within(0, index, i128::from(cells.length) - 1);
        let outside = self.arena.not(inside);
        self.fail(path, outside, FaultKind::Bounds, pc);
        (self.program.locate(cells.first).0, index)
    }

    fn read(&mut self, path: &Path, slot: u32) -> Term {
        let (object, index) = self.fixed(slot);
        self.access(path, object, index, AccessKind::Read);
        self.content(path, object, index)
    }

    fn read_cell(&mut self, path: &mut Path, cells: Cells, index: Term, pc: usize) -> Term {
        let (object, index) = self.cell(path, cells, index, pc);
        self.access(path, object, Some(index), AccessKind::Read);
        self.content(path, object, Some(index))
    }

    fn content(&mut self, path: &Path, object: usize, index: Option<Term>) -> Term {
        let whole = path.state.objects[object];
        let Some(index) = index else { return whole };
        let value = self.arena.select(whole, index);
        if self.program.objects()[object].ty == Type::Bool { truth(self.arena, value) } else { value }
    }

    fn write(&mut self, path: &mut Path, slot: u32, value: Term) {
        let (object, index) = self.fixed(slot);
        self.access(path, object, index, AccessKind::Write);
        self.put(path, object, index, value);
    }

    fn write_cell(&mut self, path: &mut Path, cells: Cells, index: Term, value: Term, pc: usize) {
        let (object, index) = self.cell(path, cells, index, pc);
        self.access(path, object, Some(index), AccessKind::Write);
        self.put(path, object, Some(index), value);
    }

    fn put(&mut self, path: &mut Path, object: usize, index: Option<Term>, value: Term) {
        let whole = path.state.objects[object];
        let sort = self.arena.sort(whole);
        let value = fit(self.arena, value, sort);
        path.state.objects[object] = match index {
            Some(index) => self.arena.store(whole, index, value),
            None => value,
        };
    }

    fn owner(&mut self, path: &Path, object: usize, index: Option<Term>) -> Term {
        let whole = path.state.objects[object];
        debug_assert!(index.is_some() || self.arena.sort(whole) == Sort::Int);
        index.map_or(whole, |index| self.arena.select(whole, index))
    }

    fn lock(&mut self, path: &mut Path, object: usize, index: Option<Term>) {
        self.access(path, object, index, AccessKind::Mutex);
        let (owner, free) = (self.owner(path, object, index), self.arena.int(FREE));
        let is_free = self.arena.equal(owner, free);
        self.wait_for(path, is_free);
        self.put(path, object, index, self.process);
    }

    fn unlock(&mut self, path: &mut Path, object: usize, index: Option<Term>, pc: usize) {
        self.access(path, object, index, AccessKind::Mutex);
        let owner = self.owner(path, object, index);
        let foreign = self.arena.different(owner, self.process);
        self.fail(path, foreign, FaultKind::Lock, pc);
        let free = self.arena.int(FREE);
        self.put(path, object, index, free);
    }

    /// A value that must fit into 64 bits.
    fn fitting(&mut self, path: &mut Path, value: Term, pc: usize) -> Term {
        let fits = self.arena.within(i128::from(Value::MIN), value, i128::from(Value::MAX));
        let overflows = self.arena.not(fits);
        self.fail(path, overflows, FaultKind::Overflow, pc);
        value
    }

    fn binary(&mut self, path: &mut Path, operator: Binary, left: Term, right: Term, pc: usize) {
        let numbers = |this: &mut Self| (number(this.arena, left), number(this.arena, right));
        path.value = match operator {
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                let (left, right) = numbers(self);
                let result = match operator {
                    Binary::Add => self.arena.add(&[left, right]),
                    Binary::Subtract => self.arena.subtract(left, right),
                    _ if self.is_unknown(left, right) => self.nonlinear(PRODUCT, left.min(right), left.max(right)),
                    _ => self.arena.multiply(left, right),
                };
                self.fitting(path, result, pc)
            }
            Binary::Divide | Binary::Remainder => {
                let (left, right) = numbers(self);
                let zero = self.arena.int(0);
                let by_zero = self.arena.equal(right, zero);
                self.fail(path, by_zero, FaultKind::DivisionByZero, pc);
                let unknown = self.program.is_abstract && self.arena.constant(right).is_none();
                if operator == Binary::Divide {
                    let quotient = match unknown {
                        true => self.nonlinear(QUOTIENT, left, right),
                        false => self.arena.divide_to_zero(left, right),
                    };
                    self.fitting(path, quotient, pc)
                } else if unknown {
                    self.nonlinear(REMAINDER, left, right)
                } else {
                    self.arena.remainder_to_zero(left, right)
                }
            }
            Binary::Equal => self.same(left, right),
            Binary::NotEqual => {
                let same = self.same(left, right);
                self.arena.not(same)
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let (left, right) = numbers(self);
                match operator {
                    Binary::Less => self.arena.less(left, right),
                    Binary::LessEqual => self.arena.less_equal(left, right),
                    Binary::Greater => self.arena.less(right, left),
                    _ => self.arena.less_equal(right, left),
                }
            }
            Binary::And | Binary::Or => {
                let (left, right) = (truth(self.arena, left), truth(self.arena, right));
                if operator == Binary::And { self.arena.and(&[left, right]) } else { self.arena.or(&[left, right]) }
            }
        };
    }

    /// Whether a product is to be a function.
    fn is_unknown(&self, left: Term, right: Term) -> bool {
        self.program.is_abstract && self.arena.constant(left).is_none() && self.arena.constant(right).is_none()
    }

    fn same(&mut self, left: Term, right: Term) -> Term {
        if self.arena.sort(left) == self.arena.sort(right) {
            return self.arena.equal(left, right);
        }
        // A constant beside a truth value is one.
        let (left, right) = (truth(self.arena, left), truth(self.arena, right));
        self.arena.equal(left, right)
    }
}

fn pop(path: &mut Path) -> Term {
    path.stack.pop().expect("an operand was pushed")
}
