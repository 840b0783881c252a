//! Atomic operations on more than 64 bits, or on an odd number of them: what no single access of
//! the machine does is an atomic block of several.

use crate::code::instruction::{Flags, Instruction, Wide};
use crate::ir::{self, AtomicOperator, BinaryOperator, IntegerPredicate, Operand};

use super::body::{Body, Refusal};
use super::draft::Value;
use super::scalar::{Part, Scalar};

/// Whether these parts take more than one access.
pub(super) fn takes_several(parts: &[Part]) -> bool {
    !matches!(parts, [part] if part.scalar.width().is_some())
}

/// A value of 128 bits.
type Pair = [Value; 2];

impl<'a> Body<'_, 'a> {
    /// Emits what is done in one step.
    pub(super) fn in_one_step<T>(
        &mut self,
        several: bool,
        emit: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if several {
            self.emit(Instruction::AtomicBegin);
        }
        let result = emit(self)?;
        if several {
            self.emit(Instruction::AtomicEnd);
        }
        Ok(result)
    }

    /// `cmpxchg` of 128 bits.
    pub(super) fn wide_compare_exchange(
        &mut self,
        instruction: &ir::Instruction,
        pointer: Operand,
        expected: Operand,
        new: Operand,
    ) -> Result<(), Refusal> {
        let (expected, new) = (self.halves(expected)?, self.halves(new)?);
        let (base, offset) = self.address(pointer)?;
        let (old, equal) = self.in_one_step(true, |body| {
            let old = body.load_halves(base, offset);
            let equal = body.wide_compare(IntegerPredicate::Equal, old, expected);
            let next = [0, 1].map(|half| body.pick(equal, new[half], old[half]));
            body.store_halves(next, base, offset);
            Ok((old, equal))
        })?;
        self.result(instruction, &[old[0], old[1], equal]);
        Ok(())
    }

    /// `atomicrmw` of 128 bits.
    pub(super) fn wide_modify(
        &mut self,
        instruction: &ir::Instruction,
        operator: AtomicOperator,
        pointer: Operand,
        value: Operand,
    ) -> Result<(), Refusal> {
        let value = self.halves(value)?;
        let (base, offset) = self.address(pointer)?;
        let old = self.in_one_step(true, |body| {
            let old = body.load_halves(base, offset);
            let new = body.wide_operation(operator, old, value)?;
            body.store_halves(new, base, offset);
            Ok(old)
        })?;
        self.result(instruction, &old);
        Ok(())
    }

    fn wide_operation(&mut self, operator: AtomicOperator, old: Pair, value: Pair) -> Result<Pair, Refusal> {
        let bitwise = |body: &mut Self, operator| [0, 1].map(|half| body.bitwise(operator, old[half], value[half]));
        let mut greater = |predicate| {
            let keeps = self.wide_compare(predicate, old, value);
            [0, 1].map(|half| self.pick(keeps, old[half], value[half]))
        };
        Ok(match operator {
            AtomicOperator::Exchange => value,
            AtomicOperator::Add => self.wide(Wide::Add, old, value),
            AtomicOperator::Sub => self.wide(Wide::Subtract, old, value),
            AtomicOperator::And => bitwise(self, BinaryOperator::And),
            AtomicOperator::Or => bitwise(self, BinaryOperator::Or),
            AtomicOperator::Xor => bitwise(self, BinaryOperator::Xor),
            AtomicOperator::Nand => {
                let both = bitwise(self, BinaryOperator::And);
                both.map(|half| self.bitwise(BinaryOperator::Xor, half, Value::Number(u64::MAX)))
            }
            AtomicOperator::Max => greater(IntegerPredicate::SignedGreater),
            AtomicOperator::Min => greater(IntegerPredicate::SignedLess),
            AtomicOperator::UMax => greater(IntegerPredicate::UnsignedGreater),
            AtomicOperator::UMin => greater(IntegerPredicate::UnsignedLess),
            _ => return Err("this atomic operation on more than 64 bits".into()),
        })
    }

    /// The two halves of a value of 128 bits.
    fn halves(&mut self, value: Operand) -> Result<Pair, Refusal> {
        let parts = self.parts(self.type_of(value))?;
        match (&parts[..], &self.scalars(value)?[..]) {
            ([Part { scalar: Scalar::Low(128), .. }, _], &[low, high]) => Ok([low, high]),
            _ => Err("an atomic operation on an odd number of bits".into()),
        }
    }

    fn load_halves(&mut self, base: Value, offset: u64) -> Pair {
        let kind = crate::code::instruction::LoadKind::W64;
        [0, 8].map(|half| self.load_at(kind, base, offset.wrapping_add(half), Flags::ATOMIC))
    }

    fn store_halves(&mut self, values: Pair, base: Value, offset: u64) {
        let width = crate::code::instruction::Width::W64;
        for (value, half) in values.into_iter().zip([0, 8]) {
            self.store_at(width, value, base, offset.wrapping_add(half), Flags::ATOMIC);
        }
    }
}
