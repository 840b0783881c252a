//! The ends of blocks, phi nodes, and comparisons that only a branch needs.

use crate::code::instruction::{Condition, Instruction};
use crate::ir::{self, BinaryOperator, BlockId, ConstantKind, InstructionKind, IntegerPredicate, LocalId, Operand};

use super::body::{Body, Refusal};
use super::draft::{End, Right, Temp, Test, Value};
use super::operation::{as_condition, immediate_last, small};

/// How far before the end of a block a comparison may stand and still be made there.
const LOOKS_BACK: usize = 50;

/// A comparison that is made where a branch needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LazyTest {
    predicate: IntegerPredicate,
    bits: u8,
    left: Value,
    right: Value,
    negated: bool,
}

impl<'a> Body<'_, 'a> {
    /// Leaves a comparison to the branch at the end of its block, if that is its only use.
    pub(super) fn postpone(
        &mut self,
        instruction: &ir::Instruction,
        predicate: IntegerPredicate,
        left: Operand,
        right: Operand,
    ) -> Result<bool, Refusal> {
        let Some(result) = instruction.result.filter(|&result| self.decides_branch(result)) else { return Ok(false) };
        let bits = match self.parts(self.type_of(left))?[..] {
            [part] if !part.scalar.begins_pair() => part.scalar.bits(),
            _ => return Ok(false),
        };
        let (left, right) = (self.scalar(left)?, self.scalar(right)?);
        self.tests[result.index()] = Some(LazyTest { predicate, bits, left, right, negated: false });
        Ok(true)
    }

    /// The same for the negation of such a comparison.
    pub(super) fn postpone_negation(&mut self, instruction: &ir::Instruction, left: Operand, right: Operand) -> bool {
        let (Some(result), Operand::Local(left), Operand::Constant(right)) = (instruction.result, left, right) else {
            return false;
        };
        let is_true = self.module.constant(right).kind == ConstantKind::Integer(1)
            && self.module.types.integer_bits(instruction.ty) == Some(1);
        match self.tests[left.index()] {
            Some(test) if is_true => {
                self.tests[result.index()] = Some(LazyTest { negated: !test.negated, ..test });
                true
            }
            _ => false,
        }
    }

    /// Whether the only use of a local is the branch at the end of the current block, as it is or
    /// negated.
    fn decides_branch(&self, local: LocalId) -> bool {
        let block = &self.function.blocks[self.current].instructions;
        let mut wanted = match block.last().map(|last| &last.kind) {
            Some(InstructionKind::ConditionalBranch { condition: Operand::Local(condition), .. }) => *condition,
            _ => return false,
        };
        for instruction in block.iter().rev().take(LOOKS_BACK) {
            if !self.used_once(wanted) {
                return false;
            }
            if wanted == local {
                return true;
            }
            if instruction.result != Some(wanted) {
                continue;
            }
            match &instruction.kind {
                InstructionKind::Binary {
                    operator: BinaryOperator::Xor,
                    left: Operand::Local(left),
                    right: Operand::Constant(_),
                    ..
                } => {
                    wanted = *left;
                }
                _ => return false,
            }
        }
        false
    }

    /// A phi node: a copy of the register that the blocks before have written.
    pub(super) fn phi(&mut self, instruction: &ir::Instruction) -> Result<(), Refusal> {
        let Some(result) = instruction.result else { return Ok(()) };
        let registers = self.phi_registers(result)?;
        let values: Vec<Value> =
            registers.into_iter().map(|src| self.emit_value(|dst| Instruction::Move { dst, src })).collect();
        self.define(result, &values);
        Ok(())
    }

    fn phi_registers(&mut self, phi: LocalId) -> Result<Vec<Temp>, Refusal> {
        if self.phis[phi.index()].is_empty() {
            let count = self.parts(self.function.locals[phi.index()].ty)?.len();
            self.phis[phi.index()] = (0..count).map(|_| self.draft.temp()).collect();
        }
        Ok(self.phis[phi.index()].clone())
    }

    /// At the end of a block, the values of the phi nodes of the blocks that follow. That another
    /// one of them may be taken does no harm: nobody else reads these registers.
    pub(super) fn phi_moves(&mut self, block: BlockId) {
        let mut successors = super::order::successors(&self.function.blocks[block.index()]);
        successors.sort_unstable();
        successors.dedup();
        for successor in successors {
            for instruction in &self.function.blocks[successor].instructions {
                let InstructionKind::Phi(_, incoming) = &instruction.kind else { break };
                let Some(result) = instruction.result else { continue };
                let Some((operand, _)) = incoming.iter().find(|(_, from)| *from == block) else { continue };
                if let Err(reason) = self.phi_move(result, *operand) {
                    self.refuse(&reason);
                }
            }
        }
    }

    fn phi_move(&mut self, phi: LocalId, operand: Operand) -> Result<(), Refusal> {
        let registers = self.phi_registers(phi)?;
        for (register, value) in registers.into_iter().zip(self.scalars(operand)?) {
            if value != Value::Undefined {
                self.load_value(register, value);
            }
        }
        Ok(())
    }

    /// The instruction at the end of a block.
    pub(super) fn terminator(&mut self, instruction: &'a ir::Instruction) -> Result<(), Refusal> {
        match &instruction.kind {
            InstructionKind::Return(value) => self.return_value(*value),
            InstructionKind::Branch(to) => {
                self.end(End::Jump(to.index()));
                Ok(())
            }
            InstructionKind::ConditionalBranch { condition, yes, no } => self.branch(*condition, *yes, *no),
            InstructionKind::Switch { value, default, cases } => {
                let src = self.scalar(*value)?;
                let mut targets = Vec::with_capacity(cases.len());
                for (value, target) in cases {
                    let value = self.lowering.number(self.at, *value).ok_or("a case that is no integer of 64 bits")?;
                    targets.push((value as i64, target.index()));
                }
                let end = match src {
                    Value::Number(src) => {
                        let found = targets.iter().find(|(value, _)| *value == src as i64);
                        End::Jump(found.map_or(default.index(), |found| found.1))
                    }
                    src => End::Switch(self.temp(src), targets, default.index()),
                };
                self.end(end);
                Ok(())
            }
            InstructionKind::Invoke(invoke) => {
                self.call(instruction, &invoke.call)?;
                self.end(End::Jump(invoke.normal.index()));
                Ok(())
            }
            InstructionKind::CallBranch { call, fallthrough, .. } => {
                self.call(instruction, call)?;
                self.end(End::Jump(fallthrough.index()));
                Ok(())
            }
            InstructionKind::Unreachable => {
                self.end(End::Stop(Instruction::Unreachable));
                Ok(())
            }
            InstructionKind::IndirectBranch(label, targets) => {
                let src = self.scalar(*label)?;
                let src = self.temp(src);
                let nowhere = self.draft.block();
                let cases = targets.iter().map(|to| (super::constant::label(to.index()) as i64, to.index())).collect();
                self.end(End::Switch(src, cases, nowhere));
                Ok(())
            }
            _ => Err("exception handling".into()),
        }
    }

    fn return_value(&mut self, value: Option<Operand>) -> Result<(), Refusal> {
        let mut values = value.map_or(Ok(Vec::new()), |value| self.scalars(value))?;
        let kinds = self.lowering.functions[self.number as usize].signature.results.clone();
        values.resize(kinds.len(), Value::Undefined);
        let temps: Vec<Temp> = values.into_iter().map(|value| self.temp(value)).collect();
        if self.atomic {
            self.emit(Instruction::AtomicEnd);
        }
        let op = match temps[..] {
            [] => Instruction::Return,
            [src] => Instruction::ReturnValue { src },
            _ => {
                let (first, count) = (self.draft.operands.len() as u32, temps.len() as u16);
                self.draft.operands.extend(temps.into_iter().zip(kinds));
                Instruction::ReturnMany { first, count }
            }
        };
        self.end(End::Stop(op));
        Ok(())
    }

    fn branch(&mut self, condition: Operand, yes: BlockId, no: BlockId) -> Result<(), Refusal> {
        let (yes, no) = (yes.index(), no.index());
        let lazy = match condition {
            Operand::Local(local) => self.tests[local.index()],
            _ => None,
        };
        let end = match lazy {
            Some(test) => self.branch_on(test, yes, no),
            None => match self.scalar(condition)? {
                Value::Number(0) => End::Jump(no),
                Value::Number(_) => End::Jump(yes),
                value => {
                    let test = Test { condition: Condition::NotEqual, left: self.temp(value), right: Right::Number(0) };
                    End::Branch(test, yes, no)
                }
            },
        };
        self.end(end);
        Ok(())
    }

    fn branch_on(&mut self, test: LazyTest, yes: usize, no: usize) -> End {
        let (yes, no) = if test.negated { (no, yes) } else { (yes, no) };
        if let (Value::Number(left), Value::Number(right)) = (test.left, test.right) {
            let holds = super::arithmetic::compare(test.predicate, test.bits, left, right);
            return End::Jump(if holds { yes } else { no });
        }
        let (condition, left, right) = as_condition(test.predicate, test.bits, test.left, test.right);
        let (condition, left, right) = immediate_last(condition, left, right);
        let left = self.temp(left);
        let right = match small(right) {
            Some(number) => Right::Number(number),
            None => Right::Temp(self.temp(right)),
        };
        End::Branch(Test { condition, left, right }, yes, no)
    }
}
