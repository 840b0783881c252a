//! Arithmetic, conversions, comparisons and the parts of aggregates.

use crate::code::instruction::{Condition, FloatBinary, FloatCondition, FloatUnary, Instruction, Partial, Soft};
use crate::ir::{self, BinaryOperator, InstructionKind, IntegerPredicate, Operand, TypeId, UnaryOperator};

use super::arithmetic;
use super::body::{Body, Refusal};
use super::constant::float_condition;
use super::draft::Value;
use super::scalar::{Scalar, wrap};
use super::soft::soft_operator;
use super::wide::pair;

/// A number that fits the immediate operand of an instruction.
pub(super) fn small(value: Value) -> Option<i32> {
    match value {
        Value::Number(number) => i32::try_from(number as i64).ok(),
        _ => None,
    }
}

impl<'a> Body<'_, 'a> {
    /// An instruction that computes a value from values.
    pub(super) fn operation(&mut self, instruction: &'a ir::Instruction) -> Result<(), Refusal> {
        let values = match &instruction.kind {
            InstructionKind::Unary(UnaryOperator::FNeg, _, operand) => {
                let parts = self.parts(instruction.ty)?;
                let operands = self.scalars(*operand)?;
                if parts.iter().any(|part| part.scalar.soft().is_some()) {
                    self.soft_lanes(Soft::Negate, &parts, &[operands])?
                } else {
                    parts
                        .iter()
                        .zip(operands)
                        .map(|(part, value)| self.float_unary(FloatUnary::Negate, part.scalar, value))
                        .collect()
                }
            }
            InstructionKind::Binary { operator: BinaryOperator::Xor, left, right, .. }
                if self.postpone_negation(instruction, *left, *right) =>
            {
                return Ok(());
            }
            InstructionKind::Binary { operator, flags, left, right, .. } => {
                let checked = flags.no_signed_wrap && self.lowering.settings.overflow;
                self.binary(*operator, instruction.ty, *left, *right, checked)?
            }
            InstructionKind::Cast { operator, operand, .. } => self.cast(*operator, *operand, instruction)?,
            InstructionKind::ICmp { predicate, left, right, .. } => {
                if self.postpone(instruction, *predicate, *left, *right)? {
                    return Ok(());
                }
                self.compare(*predicate, *left, *right)?
            }
            InstructionKind::FCmp { predicate, left, right, .. } => {
                let parts = self.parts(self.type_of(*left))?;
                let (left, right) = (self.scalars(*left)?, self.scalars(*right)?);
                let condition = FloatCondition(float_condition(*predicate));
                if parts.iter().any(|part| part.scalar.soft().is_some()) {
                    let values = self.soft_compare(condition, &parts, &left, &right)?;
                    self.result(instruction, &values);
                    return Ok(());
                }
                let lanes = parts.iter().zip(left.into_iter().zip(right));
                lanes
                    .map(|(part, (a, b))| {
                        let (a, b, double) = (self.temp(a), self.temp(b), part.scalar == Scalar::F64);
                        self.emit_value(|dst| Instruction::FloatCompare { condition, double, dst, a, b })
                    })
                    .collect()
            }
            InstructionKind::Select { condition, yes, no, .. } => self.select(*condition, *yes, *no)?,
            InstructionKind::Freeze(operand) => self.scalars(*operand)?,
            InstructionKind::ExtractValue(aggregate, indices) => {
                let range = self.range(self.type_of(*aggregate), indices)?;
                self.scalars(*aggregate)?.get(range).ok_or("a part that the aggregate does not have")?.to_vec()
            }
            InstructionKind::InsertValue { aggregate, value, indices } => {
                let range = self.range(self.type_of(*aggregate), indices)?;
                let (mut values, part) = (self.scalars(*aggregate)?, self.scalars(*value)?);
                if range.end > values.len() {
                    return Err("a part that the aggregate does not have".into());
                }
                values.splice(range, part);
                values
            }
            InstructionKind::ExtractElement(vector, index) => self.extract_element(*vector, *index)?,
            InstructionKind::InsertElement { vector, value, index } => self.insert_element(*vector, *value, *index)?,
            InstructionKind::ShuffleVector { left, right, mask } => {
                let (mut lanes, right) = (self.scalars(*left)?, self.scalars(*right)?);
                lanes.extend(right);
                let lane =
                    |at: &Option<u32>| at.and_then(|at| lanes.get(at as usize).copied()).unwrap_or(Value::Undefined);
                mask.iter().map(lane).collect()
            }
            _ => return Err("an instruction that computes nothing".into()),
        };
        self.result(instruction, &values);
        Ok(())
    }

    /// A binary operator on all lanes.
    fn binary(
        &mut self,
        operator: BinaryOperator,
        ty: TypeId,
        left: Operand,
        right: Operand,
        checked: bool,
    ) -> Result<Vec<Value>, Refusal> {
        let parts = self.parts(ty)?;
        let (left, right) = (self.scalars(left)?, self.scalars(right)?);
        if parts.iter().any(|part| part.scalar.soft().is_some()) {
            let op = soft_operator(operator).ok_or("integer arithmetic on floating-point numbers")?;
            return self.soft_lanes(op, &parts, &[left, right]);
        }
        let mut values = Vec::with_capacity(parts.len());
        let mut at = 0;
        while at < parts.len().min(left.len()).min(right.len()) {
            if let Scalar::Low(bits) = parts[at].scalar {
                if checked && let Some(op) = checked_operator(operator) {
                    self.wide_checked(op, bits, pair(&left, at)?, pair(&right, at)?);
                }
                values.extend(self.wide_binary(operator, bits, pair(&left, at)?, pair(&right, at)?)?);
                at += 2;
            } else {
                values.push(self.scalar_binary(operator, parts[at].scalar, left[at], right[at], checked)?);
                at += 1;
            }
        }
        Ok(values)
    }

    fn scalar_binary(
        &mut self,
        operator: BinaryOperator,
        scalar: Scalar,
        a: Value,
        b: Value,
        checked: bool,
    ) -> Result<Value, Refusal> {
        if let Some(op) = float_operator(operator) {
            let (a, b, double) = (self.temp(a), self.temp(b), scalar == Scalar::F64);
            return Ok(self.emit_value(|dst| Instruction::FloatBinary { op, double, dst, a, b }));
        }
        let bits = scalar.bits();
        if checked && let Some(op) = checked_operator(operator) {
            return Ok(self.partial(op, bits, a, b));
        }
        if let (Value::Number(a), Value::Number(b)) = (a, b)
            && let Some(known) = arithmetic::binary(operator, bits, a, b)
        {
            return Ok(Value::Number(known));
        }
        Ok(match operator {
            BinaryOperator::Add => self.add_integers(bits, a, b),
            BinaryOperator::Sub => self.subtract(bits, a, b),
            BinaryOperator::Mul => self.multiply(bits, a, b),
            BinaryOperator::And => self.bitwise(operator, a, b),
            BinaryOperator::Or => self.bitwise(operator, a, b),
            BinaryOperator::Xor => self.bitwise(operator, a, b),
            BinaryOperator::Shl | BinaryOperator::LShr | BinaryOperator::AShr => self.shift(operator, bits, a, b),
            BinaryOperator::UDiv => self.partial(Partial::Divide, bits, a, b),
            BinaryOperator::SDiv => self.partial(Partial::DivideSigned, bits, a, b),
            BinaryOperator::URem => self.partial(Partial::Remainder, bits, a, b),
            BinaryOperator::SRem => self.partial(Partial::RemainderSigned, bits, a, b),
            BinaryOperator::FAdd
            | BinaryOperator::FSub
            | BinaryOperator::FMul
            | BinaryOperator::FDiv
            | BinaryOperator::FRem => return Err("floating-point arithmetic on integers".into()),
        })
    }

    pub(super) fn partial(&mut self, op: Partial, bits: u8, a: Value, b: Value) -> Value {
        let (a, b) = (self.temp(a), self.temp(b));
        self.emit_value(|dst| Instruction::Partial { op, bits, dst, a, b })
    }

    /// The lowest bits of a result of 64 bits.
    pub(super) fn wrapped(&mut self, value: Value, bits: u8) -> Value {
        match value {
            Value::Number(number) => Value::Number(wrap(number, bits)),
            value if bits == 64 => value,
            value => {
                let src = self.temp(value);
                self.emit_value(|dst| Instruction::Wrap { dst, src, bits })
            }
        }
    }

    fn add_integers(&mut self, bits: u8, a: Value, b: Value) -> Value {
        let (a, b) = if small(a).is_some() { (b, a) } else { (a, b) };
        let (a, small) = (self.temp(a), small(b));
        let sum = match (bits, small) {
            (32, Some(value)) => return self.emit_value(|dst| Instruction::Add32By { dst, a, value }),
            (_, Some(value)) => self.emit_value(|dst| Instruction::Add64By { dst, a, value }),
            (32, None) => {
                let b = self.temp(b);
                return self.emit_value(|dst| Instruction::Add32 { dst, a, b });
            }
            (_, None) => {
                let b = self.temp(b);
                self.emit_value(|dst| Instruction::Add64 { dst, a, b })
            }
        };
        self.wrapped(sum, bits)
    }

    pub(super) fn subtract(&mut self, bits: u8, a: Value, b: Value) -> Value {
        if let Some(value) = small(b).and_then(i32::checked_neg) {
            return self.add_integers(bits, a, Value::Number(i64::from(value) as u64));
        }
        let difference = match (bits, small(a)) {
            (32, Some(value)) => {
                let a = self.temp(b);
                return self.emit_value(|dst| Instruction::SubtractFrom32 { dst, a, value });
            }
            (_, Some(value)) => {
                let a = self.temp(b);
                self.emit_value(|dst| Instruction::SubtractFrom64 { dst, a, value })
            }
            (32, None) => {
                let (a, b) = (self.temp(a), self.temp(b));
                return self.emit_value(|dst| Instruction::Subtract32 { dst, a, b });
            }
            (_, None) => {
                let (a, b) = (self.temp(a), self.temp(b));
                self.emit_value(|dst| Instruction::Subtract64 { dst, a, b })
            }
        };
        self.wrapped(difference, bits)
    }

    pub(super) fn multiply(&mut self, bits: u8, a: Value, b: Value) -> Value {
        let (a, b) = if small(a).is_some() { (b, a) } else { (a, b) };
        let (a, small) = (self.temp(a), small(b));
        let product = match (bits, small) {
            (32, Some(value)) => return self.emit_value(|dst| Instruction::Multiply32By { dst, a, value }),
            (_, Some(value)) => self.emit_value(|dst| Instruction::Multiply64By { dst, a, value }),
            (32, None) => {
                let b = self.temp(b);
                return self.emit_value(|dst| Instruction::Multiply32 { dst, a, b });
            }
            (_, None) => {
                let b = self.temp(b);
                self.emit_value(|dst| Instruction::Multiply64 { dst, a, b })
            }
        };
        self.wrapped(product, bits)
    }

    /// `and`, `or`, `xor`: the same for all widths.
    pub(super) fn bitwise(&mut self, operator: BinaryOperator, a: Value, b: Value) -> Value {
        let (a, b) = if small(a).is_some() { (b, a) } else { (a, b) };
        let a = self.temp(a);
        if let Some(value) = small(b) {
            return self.emit_value(|dst| match operator {
                BinaryOperator::And => Instruction::AndBy { dst, a, value },
                BinaryOperator::Or => Instruction::OrBy { dst, a, value },
                _ => Instruction::XorBy { dst, a, value },
            });
        }
        let b = self.temp(b);
        self.emit_value(|dst| match operator {
            BinaryOperator::And => Instruction::And { dst, a, b },
            BinaryOperator::Or => Instruction::Or { dst, a, b },
            _ => Instruction::Xor { dst, a, b },
        })
    }

    pub(super) fn shift(&mut self, operator: BinaryOperator, bits: u8, a: Value, b: Value) -> Value {
        if let Value::Number(by) = b
            && by < u64::from(bits)
        {
            let (a, by) = (self.temp(a), by as u8);
            return self.emit_value(|dst| match operator {
                BinaryOperator::Shl => Instruction::ShiftLeftBy { dst, a, by, bits },
                BinaryOperator::LShr => Instruction::ShiftRightBy { dst, a, by, bits },
                _ => Instruction::ShiftRightSignedBy { dst, a, by },
            });
        }
        let op = match operator {
            BinaryOperator::Shl => Partial::ShiftLeft,
            BinaryOperator::LShr => Partial::ShiftRight,
            _ => Partial::ShiftRightSigned,
        };
        self.partial(op, bits, a, b)
    }

    pub(super) fn float_unary(&mut self, op: FloatUnary, scalar: Scalar, value: Value) -> Value {
        let (a, double) = (self.temp(value), scalar == Scalar::F64);
        self.emit_value(|dst| Instruction::FloatUnary { op, double, dst, a })
    }

    /// A comparison of integers or pointers, lane by lane.
    fn compare(&mut self, predicate: IntegerPredicate, left: Operand, right: Operand) -> Result<Vec<Value>, Refusal> {
        let parts = self.parts(self.type_of(left))?;
        let (left, right) = (self.scalars(left)?, self.scalars(right)?);
        let mut values = Vec::new();
        let mut at = 0;
        while at < parts.len().min(left.len()).min(right.len()) {
            if parts[at].scalar.begins_pair() {
                values.push(self.wide_compare(predicate, pair(&left, at)?, pair(&right, at)?));
                at += 2;
            } else {
                values.push(self.scalar_compare(predicate, parts[at].scalar.bits(), left[at], right[at]));
                at += 1;
            }
        }
        Ok(values)
    }

    pub(super) fn scalar_compare(&mut self, predicate: IntegerPredicate, bits: u8, a: Value, b: Value) -> Value {
        if let (Value::Number(a), Value::Number(b)) = (a, b) {
            return Value::Number(arithmetic::compare(predicate, bits, a, b).into());
        }
        let (condition, a, b) = as_condition(predicate, bits, a, b);
        let (condition, a, b) = immediate_last(condition, a, b);
        let a = self.temp(a);
        if let Some(value) = small(b) {
            return self.emit_value(|dst| Instruction::CompareWith { condition, dst, a, value });
        }
        let b = self.temp(b);
        self.emit_value(|dst| Instruction::Compare { condition, dst, a, b })
    }

    fn select(&mut self, condition: Operand, yes: Operand, no: Operand) -> Result<Vec<Value>, Refusal> {
        let conditions = self.scalars(condition)?;
        let (yes, no) = (self.scalars(yes)?, self.scalars(no)?);
        let lanes = yes.into_iter().zip(no).enumerate();
        let pick = |(lane, (yes, no)): (usize, (Value, Value))| {
            let condition = if conditions.len() == 1 { conditions[0] } else { *conditions.get(lane)? };
            Some(self.pick(condition, yes, no))
        };
        lanes.map(pick).collect::<Option<Vec<_>>>().ok_or_else(|| "a selection between vectors of another size".into())
    }

    /// One of two values.
    pub(super) fn pick(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        match condition {
            Value::Number(0) => no,
            Value::Number(_) => yes,
            _ if yes == no => yes,
            condition => {
                let (condition, yes, no) = (self.temp(condition), self.temp(yes), self.temp(no));
                self.emit_value(|dst| Instruction::Select { dst, condition, yes, no })
            }
        }
    }
}

fn float_operator(operator: BinaryOperator) -> Option<FloatBinary> {
    match operator {
        BinaryOperator::FAdd => Some(FloatBinary::Add),
        BinaryOperator::FSub => Some(FloatBinary::Subtract),
        BinaryOperator::FMul => Some(FloatBinary::Multiply),
        BinaryOperator::FDiv => Some(FloatBinary::Divide),
        BinaryOperator::FRem => Some(FloatBinary::Remainder),
        _ => None,
    }
}

fn checked_operator(operator: BinaryOperator) -> Option<Partial> {
    match operator {
        BinaryOperator::Add => Some(Partial::AddSigned),
        BinaryOperator::Sub => Some(Partial::SubtractSigned),
        BinaryOperator::Mul => Some(Partial::MultiplySigned),
        _ => None,
    }
}

/// A predicate as a condition, with the operands exchanged where need be.
pub(super) fn as_condition(predicate: IntegerPredicate, bits: u8, a: Value, b: Value) -> (Condition, Value, Value) {
    use IntegerPredicate::*;
    match predicate {
        Equal => (Condition::Equal, a, b),
        NotEqual => (Condition::NotEqual, a, b),
        // Of one bit, signed, 1 is the smaller one.
        SignedGreater if bits == 1 => (Condition::Below, a, b),
        SignedGreaterEqual if bits == 1 => (Condition::NotBelow, b, a),
        SignedLess if bits == 1 => (Condition::Below, b, a),
        SignedLessEqual if bits == 1 => (Condition::NotBelow, a, b),
        UnsignedGreater => (Condition::Below, b, a),
        UnsignedGreaterEqual => (Condition::NotBelow, a, b),
        UnsignedLess => (Condition::Below, a, b),
        UnsignedLessEqual => (Condition::NotBelow, b, a),
        SignedGreater => (Condition::Less, b, a),
        SignedGreaterEqual => (Condition::NotLess, a, b),
        SignedLess => (Condition::Less, a, b),
        SignedLessEqual => (Condition::NotLess, b, a),
    }
}

/// The same condition with a number on the right, where there is a number and that can be said.
pub(super) fn immediate_last(condition: Condition, a: Value, b: Value) -> (Condition, Value, Value) {
    let Value::Number(number) = a else { return (condition, a, b) };
    let next = |limit: u64| (number != limit).then(|| Value::Number(number.wrapping_add(1)));
    match condition {
        Condition::Equal | Condition::NotEqual => (condition, b, a),
        // number < b is b >= number + 1
        Condition::Less => next(i64::MAX as u64).map_or((condition, a, b), |next| (Condition::NotLess, b, next)),
        Condition::NotLess => next(i64::MAX as u64).map_or((condition, a, b), |next| (Condition::Less, b, next)),
        Condition::Below => next(u64::MAX).map_or((condition, a, b), |next| (Condition::NotBelow, b, next)),
        Condition::NotBelow => next(u64::MAX).map_or((condition, a, b), |next| (Condition::Below, b, next)),
    }
}
